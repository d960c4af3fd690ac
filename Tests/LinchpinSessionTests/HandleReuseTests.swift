import Foundation
import FoundationNetworking
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// Requests one after the other, over one handle: the next one shows nothing of those before it (CASES B033).
@Suite struct HandleReuseTests {
    /// What a server has to know to answer every kind of request.
    struct Peer: Sendable {
        let server: LocalTLSServer
        let session: Session

        init() throws {
            let world = try World()
            let digest = DigestServer(user: "user", password: "open")
            server = try LocalTLSServer(identity: world.identity, configuration: .init(expectation: .handle)) {
                request in
                switch request.path {
                case "/hold": .fault(.hold)
                case "/garbage": .fault(.raw(Data("garbage\r\n\r\n".utf8)))
                case "/set": .text("set", headers: [.init("Set-Cookie", "jar=1")])
                case "/moved": .redirect(to: "/there")
                case "/digest" where !digest.admits(request):
                    .text("out", status: 401, headers: [digest.challenge()])
                case "/basic" where request.header("Authorization") == nil:
                    .text("out", status: 401, headers: [.init("WWW-Authenticate", "Basic realm=\"here\"")])
                case "/expect" where request.header("Expect") != nil:
                    .fault(.raw(Data("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n".utf8)))
                default: .text("hello")
                }
            }
            let manager = try ServerTrustManager(evaluators: ["localhost": world.pinned(), "127.0.0.1": world.pinned()])
            session = Session(configuration: .with { $0.httpVersion = .http1 }, serverTrustManager: manager)
        }

        func url(_ path: String) -> URL { server.url(host: "localhost", path: path) }

        /// A GET with nothing of its own, as the server saw it.
        func probe() async -> [String] {
            let response = await session.get(url("/probe"))
            #expect(response.text == "hello", "\(String(describing: response.error))")
            guard let request = server.log.requests.last else { return [] }
            let fields = request.headers.map { "\($0.name): \($0.value)" }.sorted()
            return ["\(request.method) \(request.target)", "\(request.body.count) bytes"] + fields
        }
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The status of the response; nil for an error.
        var status: Int? = 200
        let send: @Sendable (Peer) async -> Int?

        init(_ name: String, status: Int? = 200, _ send: @escaping @Sendable (Peer) async -> Int?) {
            testDescription = name
            self.status = status
            self.send = send
        }

        /// A request that is said by its method, fields and body.
        init(
            _ name: String,
            _ method: String = "GET",
            _ path: String = "/",
            fields: [String: String] = [:],
            body: String? = nil,
            takesCookies: Bool = true
        ) {
            self.init(name) { peer in
                var request = URLRequest(url: peer.url(path))
                request.httpMethod = method
                request.allHTTPHeaderFields = fields
                request.httpBody = body.map { Data($0.utf8) }
                request.httpShouldHandleCookies = takesCookies
                return await peer.session.request(request).serializingData(emptyResponseCodes: [200]).response.status
            }
        }
    }

    static let kinds = [
        Kind("a field", fields: ["X-First": "1"]),
        Kind("a cookie of the caller's", fields: ["Cookie": "own=1"]),
        Kind("a token", fields: ["Authorization": "Bearer secret"]),
        Kind("a range", fields: ["Range": "bytes=0-1"]),
        Kind("a coding", fields: ["Accept-Encoding": "identity"]),
        Kind("no coding", fields: ["Accept-Encoding": ""]),
        Kind("another host's name", fields: ["Host": "elsewhere.example"]),
        Kind("a connection that closes", fields: ["Connection": "close"]),
        Kind("a head that fills buffers", fields: ["X-Long": String(repeating: "a", count: 40_000)]),
        Kind("a query", "GET", "/?a=b"),
        Kind("HEAD", "HEAD"),
        Kind("DELETE", "DELETE"),
        Kind("PURGE", "PURGE"),
        Kind("POST with a body", "POST", fields: ["Content-Type": "text/plain"], body: "body"),
        Kind("PUT with a body", "PUT", body: "body"),
        Kind("DELETE with a body", "DELETE", body: "body"),
        Kind("POST without a body", "POST"),
        Kind("no cookies", takesCookies: false),
        Kind("a redirect", "GET", "/moved", fields: ["X-First": "1"]),
        Kind("417", "POST", "/expect", fields: ["Expect": "100-continue"], body: "body"),
        Kind("an upload in chunks") {
            await $0.session.upload(InputStream(data: Data("chunks".utf8)), to: $0.url("/")).serializingData().response
                .status
        },
        Kind("a form") {
            await $0.session.upload(multipartFormData: { $0.append(Data("a".utf8), withName: "b") }, to: $0.url("/"))
                .serializingData().response.status
        },
        Kind("a stream") { peer in
            let request = peer.session.streamRequest(peer.url("/"))
            var received = Data()
            do {
                for try await part in request.streamTask().streamingData() { received += part }
            } catch { return nil }
            return received == Data("hello".utf8) ? 200 : nil
        },
        Kind("Basic") {
            await $0.session.request($0.url("/basic")).authenticate(username: "user", password: "open")
                .serializingData().response.status
        },
        Kind("Digest") {
            await $0.session.request($0.url("/digest")).authenticate(username: "user", password: "open")
                .serializingData().response.status
        },
        Kind("Digest that fails", status: 401) {
            await $0.session.request($0.url("/digest")).authenticate(username: "user", password: "wrong")
                .serializingData().response.status
        },
        Kind("a user in the URL") {
            let url = URL(string: "https://user:open@localhost:\($0.server.port)/")
            return await $0.session.get(url ?? $0.url("/")).status
        },
        Kind("the host by its address") { await $0.session.get($0.server.url(host: "127.0.0.1")).status },
        Kind("time-outs") {
            await $0.session.get($0.url("/"), timeouts: Timeouts(connect: 20, idle: 25, request: 30)).status
        },
        Kind("a time-out that passes", status: nil) {
            await $0.session.get($0.url("/hold"), timeouts: Timeouts(request: 0.05)).status
        },
        Kind("garbage", status: nil) { await $0.session.get($0.url("/garbage")).status },
        Kind("a cancelled request", status: nil) {
            let request = $0.session.request($0.url("/hold"))
            let task = request.serializingData()
            _ = await $0.server.waitUntil { $0.requests.last?.path == "/hold" }
            request.cancel()
            return await task.response.status
        },
    ]

    @Test(arguments: kinds)
    func `nothing of a request shows in the next one`(_ kind: Kind) async throws {
        let peer = try Peer()
        let before = await peer.probe()
        #expect(await kind.send(peer) == kind.status)
        #expect(await peer.probe() == before)
    }

    @Test(arguments: [false, true])
    func `nothing adds up over many requests`(_ backwards: Bool) async throws {
        let peer = try Peer()
        let before = await peer.probe()
        for kind in backwards ? Self.kinds.reversed() : Self.kinds {
            #expect(await kind.send(peer) == kind.status, "\(kind.testDescription)")
        }
        #expect(await peer.probe() == before)
    }

    /// libcurl 7.88 keeps the name, even through a reset of the handle.
    @Test func `cookies go by the URL's host after a request with a Host field of its own`() async throws {
        let peer = try Peer()
        #expect(await peer.session.get(peer.url("/set"), headers: ["Host": "elsewhere.example"]).text == "set")
        let sent = await peer.probe()
        #expect(!sent.contains { $0.hasPrefix("Cookie") })
        #expect(await peer.session.get(peer.url("/set")).text == "set")
        #expect(await peer.probe().contains("Cookie: jar=1"))
    }

    @Test func `cookies go with requests that take them only`() async throws {
        let peer = try Peer()
        #expect(await peer.session.get(peer.url("/set")).text == "set")
        let without = Kind("no cookies", takesCookies: false)
        for _ in 0..<2 {
            #expect(await without.send(peer) == 200)
            #expect(peer.server.log.requests.last?.header("Cookie") == nil)
            #expect(await peer.probe().contains("Cookie: jar=1"))
        }
    }

    /// Plain HTTP, which shows by its target whether it goes through a proxy.
    @Test(arguments: [Proxy.Credentials.Scheme.basic, .digest])
    func `a proxy is for its own hosts only, and so is what it wants to know`(
        _ scheme: Proxy.Credentials.Scheme
    ) async throws {
        let proxy = try LocalTLSServer.plain { request in
            request.header("Proxy-Authorization") == nil
                ? .text("who?", status: 407, headers: [.init("Proxy-Authenticate", Self.challenge(scheme))])
                : .text("by proxy")
        }
        let server = try LocalTLSServer.plain { _ in .text("directly") }
        let way = Proxy(
            host: "127.0.0.1",
            port: Int(proxy.port),
            credentials: .init(user: "user", password: "open", scheme: scheme)
        )
        let proxies = try Proxies(way, except: ["localhost"])
        let session = Session(configuration: .with { $0.proxies = proxies })
        let far = try #require(URL(string: "http://elsewhere.example/"))
        for _ in 0..<3 {
            #expect(await session.get(far).text == "by proxy")
            #expect(await session.get(server.url).text == "directly")
        }
        #expect(server.log.requests.count == 3)
        #expect(server.log.requests.allSatisfy { $0.target == "/" && $0.header("Proxy-Authorization") == nil })
        #expect(proxy.log.requests.allSatisfy { $0.target == "http://elsewhere.example/" })
    }

    private static func challenge(_ scheme: Proxy.Credentials.Scheme) -> String {
        scheme == .basic
            ? "Basic realm=\"here\"" : "Digest realm=\"here\", nonce=\"n0nce\", qop=\"auth\", algorithm=MD5"
    }
}
