import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

@Suite struct CookieTests {
    /// A server of every name, which sets what `/set?…` asks for and tells what it was sent.
    static func server() throws -> LocalTLSServer {
        try LocalTLSServer.plain { request in
            let sent = request.headers("Cookie").joined(separator: " | ")
            guard request.path == "/set", let query = request.query?.removingPercentEncoding else { return .text(sent) }
            return .text(sent, headers: query.split(separator: "&").map { .init("Set-Cookie", String($0)) })
        }
    }

    static func configuration(_ server: LocalTLSServer, hosts: [String] = []) -> SessionConfiguration {
        .with {
            $0.resolution.overrides = hosts.map {
                .init(host: $0, port: Int(server.port), addresses: ["127.0.0.1"])
            }
        }
    }

    static func set(_ server: LocalTLSServer, _ field: String, host: String = "localhost") -> URL {
        let allowed = CharacterSet.alphanumerics
        return server.url(host: host, path: "/set?\(field.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")")
    }

    /// What a server sets, and to which hosts the cookie goes then (RFC 6265 §5.1.3, §5.3).
    struct Row: Sendable, CustomTestStringConvertible {
        let host: String
        let field: String
        let reaches: [String]
        var testDescription: String { "\(field) from \(host)" }
    }

    static let hosts = [
        "example.com", "www.example.com", "wwwexample.com", "a.www.example.com", "other.test", "x.github.io",
        "y.github.io", "shop.co.uk", "www.shop.co.uk", "bank.co.uk", "127.0.0.1",
    ]

    static let rows = [
        Row(host: "example.com", field: "a=1", reaches: ["example.com"]),
        Row(
            host: "example.com",
            field: "a=1; Domain=example.com",
            reaches: ["example.com", "www.example.com", "a.www.example.com"]
        ),
        Row(
            host: "www.example.com",
            field: "a=1; Domain=.example.com",
            reaches: ["example.com", "www.example.com", "a.www.example.com"]
        ),
        Row(host: "wwwexample.com", field: "a=1; Domain=example.com", reaches: []),
        Row(host: "example.com", field: "a=1; Domain=other.test", reaches: []),
        Row(host: "127.0.0.1", field: "a=1", reaches: ["127.0.0.1"]),
        Row(host: "127.0.0.1", field: "a=1; Domain=0.0.1", reaches: []),
        Row(host: "x.github.io", field: "a=1; Domain=github.io", reaches: []),
        Row(host: "shop.co.uk", field: "a=1; Domain=co.uk", reaches: []),
        Row(host: "www.shop.co.uk", field: "a=1; Domain=shop.co.uk", reaches: ["shop.co.uk", "www.shop.co.uk"]),
        Row(host: "example.com", field: "a=1; Path=/elsewhere", reaches: []),
        Row(host: "example.com", field: "a=1; Max-Age=0", reaches: []),
        Row(host: "example.com", field: "a=1; Secure", reaches: []),
        Row(host: "example.com", field: "__Host-a=1", reaches: []),
        Row(host: "EXAMPLE.com", field: "a=1", reaches: ["example.com"]),
    ]

    @Test(arguments: rows)
    func `a cookie goes where its server may send it, and nowhere else`(_ row: Row) async throws {
        let server = try Self.server()
        let session = Session(configuration: Self.configuration(server, hosts: Self.hosts))
        #expect(await session.get(Self.set(server, row.field, host: row.host)).status == 200)
        for host in Self.hosts {
            let sent = await session.get(server.url(host: host)).body
            #expect(sent == (row.reaches.contains(host) ? "a=1" : ""), "to \(host)")
        }
    }

    @Test func `each session has its own cookies`() async throws {
        let server = try Self.server()
        let configuration = SessionConfiguration()
        let (one, other) = (Session(configuration: configuration), Session(configuration: configuration))
        #expect(await one.get(Self.set(server, "a=1")).status == 200)
        #expect(await one.get(server.url).body == "a=1")
        #expect(await other.get(server.url).body == "")
    }

    @Test func `sessions that are given one jar share it`() async throws {
        let server = try Self.server()
        let configuration = SessionConfiguration.with { $0.cookies = .jar(CookieJar()) }
        let (one, other) = (Session(configuration: configuration), Session(configuration: configuration))
        #expect(await one.get(Self.set(server, "a=1")).status == 200)
        #expect(await other.get(server.url).body == "a=1")
    }

    /// libcurl keeps TLS sessions where the cookies are.
    @Test func `sessions that are given one jar share no TLS session`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in
            .text("hello", headers: [.init("Connection", "close")])
        }
        let configuration = SessionConfiguration.with { $0.cookies = .jar(CookieJar()) }
        let manager = try world.manager()
        let accepting = Session(configuration: configuration, serverTrustManager: manager)
        for _ in 0..<2 { #expect(await accepting.get(server.url).body == "hello") }
        // Judged by the same table.
        let other = Session(configuration: configuration, serverTrustManager: manager)
        #expect(await other.get(server.url).body == "hello")
        let wrong = try ServerTrustManager(evaluators: ["localhost": world.wronglyPinned()])
        let refusing = Session(configuration: configuration, serverTrustManager: wrong)
        #expect(await refusing.get(server.url).refusal == .pinMismatch)
        #expect(await server.waitUntil { $0.handshakeCount == 4 })
        #expect(server.log.handshakes.map(\.isResumed) == [false, true, false, false])
    }

    @Test func `a session's own jar goes with it`() async throws {
        let server = try Self.server()
        weak var jar: CookieJar?
        do {
            let session = Session()
            #expect(await session.get(Self.set(server, "a=1")).status == 200)
            jar = session.cookieJar
            await session.invalidate()
        }
        #expect(try await eventually { jar == nil })
    }

    @Test func `a session that keeps no cookies sends none`() async throws {
        let server = try Self.server()
        let session = Session(configuration: .with { $0.cookies = .none })
        let response = await session.get(Self.set(server, "a=1"))
        #expect(response.headers["Set-Cookie"] == "a=1")
        #expect(await session.get(server.url).body == "")
        #expect(await session.get(server.url, headers: ["Cookie": "b=2"]).body == "b=2")
        #expect(session.cookieJar == nil)
    }

    @Test func `a request that handles no cookies neither sends nor keeps any`() async throws {
        let server = try Self.server()
        let session = Session()
        #expect(await session.get(Self.set(server, "a=1")).status == 200)
        var request = URLRequest(url: Self.set(server, "b=2"))
        request.httpShouldHandleCookies = false
        let response = await session.request(request).serializingData().response
        #expect(response.body == "")
        #expect(await session.get(server.url).body == "a=1")
    }

    @Test func `a request's own cookies go with the jar's, in one field`() async throws {
        let server = try Self.server()
        let session = Session()
        #expect(await session.get(Self.set(server, "a=1")).status == 200)
        #expect(await session.get(server.url, headers: ["cookie": "b=2; c=3"]).body == "a=1; b=2; c=3")
        #expect(await session.get(server.url).body == "a=1")
    }

    @Test func `a redirect to another host takes no cookies along, and brings its own`() async throws {
        let other = try Self.server()
        let server = try LocalTLSServer.plain { request in
            let target = Self.set(other, "b=2", host: "127.0.0.1").absoluteString
            return .init(
                status: 302,
                headers: [.init("Location", target), .init("Set-Cookie", "a=1")]
            )
        }
        let session = Session()
        #expect(await session.get(server.url, headers: ["Cookie": "own=1"]).body == "")
        #expect(await session.get(other.url(host: "127.0.0.1")).body == "b=2")
        #expect(session.cookieJar?.cookies.map(\.domain).sorted() == ["127.0.0.1", "localhost"])
    }

    @Test func `cookies stay when the table of evaluators is replaced`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { request in
            .text(request.header("Cookie") ?? "", headers: [.init("Set-Cookie", "a=1; Secure; HttpOnly")])
        }
        let manager = try world.manager()
        let session = Session(serverTrustManager: manager)
        #expect(await session.get(server.url).body == "")
        #expect(await session.get(server.url).body == "a=1")
        try manager.replaceEvaluators(["localhost": world.pinned()])
        #expect(await session.get(server.url).body == "a=1")
        #expect(server.log.connections == 2)
        let cookie = try #require(session.cookieJar?.cookies.first)
        #expect(cookie.isSecure && cookie.isHTTPOnly && cookie.expiresDate == nil)
    }

    @Test func `a refused server sets no cookie and gets none`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in
            .text("", headers: [.init("Set-Cookie", "b=2")])
        }
        let manager = try ServerTrustManager(evaluators: ["localhost": world.wronglyPinned()])
        let session = Session(serverTrustManager: manager)
        try session.cookieJar?.set(#require(Self.cookie("a", "1")))
        #expect(await session.get(server.url).refusal == .pinMismatch)
        #expect(session.cookieJar?.cookies.map(\.name) == ["a"])
        #expect(server.log.bytesReceived == 0)
    }

    private static func cookie(_ name: String, _ value: String, expires: Date? = nil) -> HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: "localhost", .path: "/",
        ]
        properties[.expires] = expires
        return HTTPCookie(properties: properties)
    }

    @Test func `cookies can be read, set, removed and forgotten by hand`() async throws {
        let server = try Self.server()
        let session = Session()
        let jar = try #require(session.cookieJar)
        let expiry = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 1_000).rounded())
        try jar.set(#require(Self.cookie("a", "1", expires: expiry)))
        try jar.set(#require(Self.cookie("b", "2")))
        #expect(
            Set((await session.get(server.url).body ?? "").split(separator: ";").map { $0.filter { $0 != " " } }) == [
                "a=1", "b=2",
            ]
        )
        #expect(jar.cookies.first { $0.name == "a" }?.expiresDate == expiry)
        try jar.remove(#require(Self.cookie("a", "")))
        #expect(jar.cookies.map(\.name) == ["b"])
        #expect(await session.get(server.url).body == "b=2")
        try jar.removeAll()
        #expect(jar.cookies.isEmpty)
        #expect(await session.get(server.url).body == "")
    }

    @Test(arguments: ["x\ty", "x\ny", "x\r\nSet-Cookie: z=1", "x\u{0}y"])
    func `a cookie that would make another line is refused`(_ value: String) throws {
        let jar = CookieJar()
        let cookie = try #require(Self.cookie("a", value))
        #expect(throws: CookieError.self) { try jar.set(cookie) }
        #expect(jar.cookies.isEmpty)
    }

    @Test func `a jar's file keeps what has an expiry date, for its owner only`() async throws {
        let directory = try TemporaryDirectory()
        let file = URL(fileURLWithPath: directory.path(of: "cookies"))
        let server = try Self.server()
        do {
            let jar = try CookieJar(file: file)
            let session = Session(configuration: .with { $0.cookies = .jar(jar) })
            #expect(
                await session.get(Self.set(server, "a=1; Max-Age=1000&b=2&c=3; Max-Age=1000; HttpOnly")).status == 200
            )
            #expect(jar.cookies.count == 3)
            try jar.save()
            await session.invalidate()
        }
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let jar = try CookieJar(file: file)
        #expect(jar.cookies.map(\.name).sorted() == ["a", "c"])
        #expect(jar.cookies.filter(\.isHTTPOnly).map(\.name) == ["c"])
        let session = Session(configuration: .with { $0.cookies = .jar(jar) })
        #expect(Set((await session.get(server.url).body ?? "").split(separator: "; ")) == ["a=1", "c=3"])
    }

    @Test func `a jar that goes writes its file`() async throws {
        let directory = try TemporaryDirectory()
        let file = URL(fileURLWithPath: directory.path(of: "cookies"))
        do {
            let jar = try CookieJar(file: file)
            try jar.set(#require(Self.cookie("a", "1", expires: Date() + 1_000)))
        }
        #expect(try CookieJar(file: file).cookies.map(\.name) == ["a"])
    }

    /// libcurl obeys commands in place of a cookie's line; a file must not give any.
    @Test func `lines of a file that are no cookies are passed over`() throws {
        let directory = try TemporaryDirectory()
        let kept = "localhost\tFALSE\t/\tFALSE\t\(Int(Date().timeIntervalSince1970) + 1_000)\ta\t1"
        let path = try directory.write(
            "# a\n\(kept)\nALL\nSet-Cookie: b=2; domain=x.test\nFLUSH\nx\ty\n",
            to: "cookies"
        )
        #expect(try CookieJar(file: URL(fileURLWithPath: path)).cookies.map(\.name) == ["a"])
    }

    @Test func `a file that cannot be read or written is an error`() throws {
        let directory = try TemporaryDirectory()
        #expect(throws: CookieError.self) { try CookieJar(file: URL(fileURLWithPath: directory.path)) }
        let jar = try CookieJar(file: URL(fileURLWithPath: directory.path(of: "nowhere/cookies")))
        #expect(throws: CookieError.self) { try jar.save() }
    }

    @Test func `a jar is used by many threads at once`() async throws {
        let server = try Self.server()
        let session = Session()
        let jar = try #require(session.cookieJar)
        await withTaskGroup { group in
            for number in 0..<40 {
                group.addTask { _ = await session.get(Self.set(server, "a\(number)=1")) }
                group.addTask { _ = jar.cookies.count }
            }
        }
        #expect(jar.cookies.count == 40)
    }

    @Test func `descriptions show no cookie`() async throws {
        let server = try Self.server()
        let session = Session()
        let response = await session.get(Self.set(server, "a=topsecret"), headers: ["Cookie": "b=topsecret"])
        var text = ""
        dump(session, to: &text)
        dump(response, to: &text)
        dump(session.configuration, to: &text)
        #expect(!(text + "\(response)\(session)").contains("topsecret"))
    }
}
