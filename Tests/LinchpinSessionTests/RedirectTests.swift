import Foundation
import FoundationNetworking
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// Promise 4: every hop is judged as its own host, and credentials stay with their origin.
@Suite struct RedirectTests {
    private static let credentials: HTTPHeaders = [
        "Authorization": "Bearer secret", "Cookie": "id=secret", "X-Api-Key": "secret", "Accept": "text/plain",
    ]

    /// A session that trusts `localhost` and `127.0.0.1` by their root.
    private func session(_ world: World, _ change: (inout SessionConfiguration) -> Void = { _ in }) throws -> Session {
        let evaluator = DefaultTrustEvaluator(roots: world.roots)
        let manager = try ServerTrustManager(evaluators: ["localhost": evaluator, "127.0.0.1": evaluator])
        return Session(configuration: .with(change), serverTrustManager: manager)
    }

    @Test func `credentials go along within an origin`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { request in
            request.path == "/a" ? .redirect(to: "/b") : .text("done")
        }
        let response = try await session(world).get(
            server.url(host: "localhost", path: "/a"),
            headers: Self.credentials
        )
        #expect(response.text == "done")
        #expect(response.response?.url?.path == "/b")
        for header in Self.credentials { #expect(server.log.requests.last?.header(header.name) == header.value) }
    }

    enum Elsewhere: CaseIterable { case anotherHost, anotherPort }

    @Test(arguments: Elsewhere.allCases)
    func `credentials do not go to another origin`(_ elsewhere: Elsewhere) async throws {
        let world = try World()
        let other = try LocalTLSServer(identity: world.identity) { _ in .text("done") }
        let target = other.url(host: elsewhere == .anotherHost ? "127.0.0.1" : "localhost").absoluteString
        let server = try LocalTLSServer(identity: world.identity) { _ in .redirect(to: target) }
        var configured = SessionConfiguration()
        configured.headers.update(name: "X-Session-Key", value: "secret")
        let response = try await session(world) { $0.headers = configured.headers }
            .get(server.url, headers: Self.credentials)
        #expect(response.text == "done")
        let received = try #require(other.log.requests.first)
        #expect(received.header("Accept") == "text/plain")
        #expect(!received.headers.contains { $0.value.contains("secret") })
    }

    @Test func `a redirect to a host without an evaluator is refused before a byte goes there`() async throws {
        let world = try World()
        let other = try LocalTLSServer(identity: world.identity)
        let server = try LocalTLSServer(identity: world.identity) { _ in
            .redirect(to: other.url(host: "127.0.0.1").absoluteString)
        }
        let response = await Session(serverTrustManager: try world.manager()).get(server.url)
        #expect(response.refusal == .noRequiredEvaluator)
        #expect(other.log.connections == 0)
    }

    @Test func `a redirect to a host with another pin is judged by that pin`() async throws {
        let world = try World()
        let other = try LocalTLSServer(identity: world.identity)
        let server = try LocalTLSServer(identity: world.identity) { _ in
            .redirect(to: other.url(host: "127.0.0.1").absoluteString)
        }
        let manager = try ServerTrustManager(
            evaluators: ["localhost": world.pinned(), "127.0.0.1": world.wronglyPinned()]
        )
        #expect(await Session(serverTrustManager: manager).get(server.url).refusal == .pinMismatch)
        #expect(other.log.bytesReceived == 0)
    }

    @Test func `a redirect from https to plain http is followed only when asked`() async throws {
        let world = try World()
        let plain = try LocalTLSServer.plain { _ in .text("plain") }
        let server = try LocalTLSServer(identity: world.identity) { _ in
            .redirect(to: plain.url(host: "127.0.0.1").absoluteString)
        }
        let manager = try ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["localhost": world.pinned()]
        )
        let refusing = await Session(serverTrustManager: manager).get(server.url)
        #expect(refusing.error?.transportError?.code == .redirectRefused)
        #expect(plain.log.connections == 0)
        let asked = SessionConfiguration.with { $0.allowsRedirectsToPlainHTTP = true }
        #expect(await Session(configuration: asked, serverTrustManager: manager).get(server.url).text == "plain")
    }

    @Test func `plain http to a host with a policy is refused, redirected there or not`() async throws {
        let world = try World()
        let plain = try LocalTLSServer.plain { _ in .text("plain") }
        let server = try LocalTLSServer(identity: world.identity) { _ in .redirect(to: plain.url.absoluteString) }
        let configuration = SessionConfiguration.with { $0.allowsRedirectsToPlainHTTP = true }
        let session = Session(configuration: configuration, serverTrustManager: try world.manager())
        #expect(await session.get(plain.url).refusal == .cleartextRefused)
        #expect(await session.get(server.url).refusal == .cleartextRefused)
        #expect(await session.get(plain.url(host: "LOCALHOST.")).refusal == .cleartextRefused)
        #expect(plain.log.connections == 0)
        #expect(await Session().get(plain.url).text == "plain")
    }

    @Test(arguments: ["127.0.0.1", "[::ffff:127.0.0.1]", "[::FFFF:7F00:1]", "[0:0:0:0:0:ffff:127.0.0.1]"])
    func `plain http to an address with a policy is refused in every spelling`(host: String) async throws {
        let world = try World()
        let plain = try LocalTLSServer.plain { _ in .text("plain") }
        let url = plain.url(host: host)
        for entry in ["127.0.0.1", "::ffff:127.0.0.1", "127.0.0.1:8443"] {
            let manager = try ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: [entry: world.pinned()])
            #expect(await Session(serverTrustManager: manager).get(url).refusal == .cleartextRefused, "\(entry)")
        }
        #expect(plain.log.connections == 0)
        let manager = try ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: ["127.0.0.2": world.pinned()])
        #expect(await Session(serverTrustManager: manager).get(url).text == "plain")
    }

    struct MethodRow: Sendable {
        let method: HTTPMethod
        let status: Int
        let expected: String
        let keepsBody: Bool
    }

    @Test(arguments: [
        MethodRow(method: .post, status: 301, expected: "GET", keepsBody: false),
        MethodRow(method: .post, status: 302, expected: "GET", keepsBody: false),
        MethodRow(method: .post, status: 303, expected: "GET", keepsBody: false),
        MethodRow(method: .post, status: 307, expected: "POST", keepsBody: true),
        MethodRow(method: .post, status: 308, expected: "POST", keepsBody: true),
        MethodRow(method: .put, status: 302, expected: "PUT", keepsBody: true),
        MethodRow(method: .put, status: 303, expected: "GET", keepsBody: false),
        MethodRow(method: .head, status: 303, expected: "HEAD", keepsBody: false),
        MethodRow(method: .get, status: 301, expected: "GET", keepsBody: false),
    ])
    func `a redirect changes the method as RFC 9110 says`(_ row: MethodRow) async throws {
        let server = try LocalTLSServer.plain { request in
            request.path == "/a" ? .redirect(to: "/b", status: row.status) : .text("done")
        }
        var request = URLRequest(url: server.url(host: "localhost", path: "/a"))
        request.httpMethod = row.method.rawValue
        if row.method == .post || row.method == .put {
            request.httpBody = Data("body".utf8)
            request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        }
        let response = await Session().request(request).serializingData().response
        #expect(response.status == 200)
        let last = try #require(server.log.requests.last)
        #expect(last.method == row.expected)
        #expect(last.body == (row.keepsBody ? Data("body".utf8) : Data()))
        #expect((last.header("Content-Type") != nil) == row.keepsBody)
        #expect(row.keepsBody || last.header("Content-Length") == nil)
    }

    @Test(arguments: [
        ("/b", "/b", "f"), ("?q=1", "/d/a?q=1", "f"), ("../c", "/c", "f"), ("/b#g", "/b", "g"),
        ("/caf\u{e9}", "/caf%C3%A9", "f"), ("/a b", "/a%20b", "f"),
    ])
    func `a location is resolved against the request's URL, and a fragment handed on`(
        _ location: String,
        target: String,
        fragment: String
    ) async throws {
        let server = try LocalTLSServer.plain { request in
            request.target == "/d/a" ? .redirect(to: location) : .text("done")
        }
        let url = try #require(URL(string: "\(server.url(host: "localhost", path: "/d/a"))#f"))
        let response = await Session().get(url)
        #expect(response.text == "done")
        #expect(server.log.requests.map { $0.target.lowercased() } == ["/d/a", target.lowercased()])
        #expect(response.response?.url?.fragment == fragment)
    }

    /// A field of the bytes of ISO 8859-1, an empty one, and none.
    @Test(arguments: [
        Data("Location: /caf\u{e9}\r\n".unicodeScalars.map { UInt8($0.value) }), Data("Location:\r\n".utf8), Data(),
    ])
    func `a location that cannot be followed is an end, not a crash`(_ field: Data) async throws {
        let server = try LocalTLSServer.plain { request in
            guard request.path == "/" else { return .text("done") }
            let rest = Data("Content-Length: 5\r\nConnection: close\r\n\r\nfound".utf8)
            return .fault(.raw(Data("HTTP/1.1 302 Found\r\n".utf8) + field + rest))
        }
        let session = Session(configuration: .with { $0.maximumRedirects = 3 })
        let response = await session.get(server.url)
        switch response.status {
        case 302: #expect(response.text == "found")
        case 200: #expect(response.text == "done")
        default: #expect(response.error?.transportError?.code == .tooManyRedirects, "\(response)")
        }
        #expect(await session.get(server.url(host: "localhost", path: "/b")).text == "done")
    }

    @Test(arguments: [307, 308])
    func `a body goes along to another port`(_ status: Int) async throws {
        let other = try LocalTLSServer.plain { .init(body: Data("\($0.method) ".utf8) + $0.body) }
        let server = try LocalTLSServer.plain { _ in .redirect(to: other.url.absoluteString, status: status) }
        let response = await Session().upload(Data("body".utf8), to: server.url).serializingData().response
        #expect(response.text == "POST body")
    }

    @Test(arguments: ["ftp://127.0.0.1:1/", "file:///etc/hostname", "gopher://127.0.0.1/"])
    func `a redirect to another scheme is an error`(_ location: String) async throws {
        let server = try LocalTLSServer.plain { _ in .redirect(to: location) }
        let response = await Session().get(server.url)
        #expect(response.error?.transportError?.code == .redirectRefused)
    }

    @Test func `a redirect's user and password are not taken`() async throws {
        let server = try LocalTLSServer.plain { request in
            request.path == "/b" ? .text("done") : .redirect(to: "http://user:word@\(request.header("Host") ?? "")/b")
        }
        #expect(await Session().get(server.url).text == "done")
        #expect(server.log.requests.map { $0.header("Authorization") } == [nil, nil])
    }

    @Test func `a loop ends after as many redirects as the session follows`() async throws {
        let server = try LocalTLSServer.plain { _ in .redirect(to: "/again") }
        let response = await Session(configuration: .with { $0.maximumRedirects = 5 }).get(server.url)
        #expect(response.error?.transportError?.code == .tooManyRedirects)
        #expect(server.log.requests.count == 6)
    }

    @Test func `a session that follows none hands the redirect over`() async throws {
        let server = try LocalTLSServer.plain { _ in .redirect(to: "/b") }
        let response = await Session(configuration: .with { $0.maximumRedirects = 0 }).get(server.url)
        #expect(response.status == 302)
        #expect(response.headers["location"] == "/b")
        #expect(server.log.requests.count == 1)
    }
}
