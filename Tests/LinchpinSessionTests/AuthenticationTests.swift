import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

/// Basic and Digest.
@Suite struct AuthenticationTests {
    private static func basic(_ user: String, _ password: String) -> String {
        "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    }

    private static let basicChallenge = LocalTLSServer.Header("WWW-Authenticate", "Basic realm=\"here\"")

    /// Lets in `user` with `open`.
    private func basicServer() throws -> LocalTLSServer {
        try LocalTLSServer.plain { request in
            request.header("Authorization") == Self.basic("user", "open")
                ? .init(body: Data("in ".utf8) + request.body)
                : .text("out", status: 401, headers: [Self.basicChallenge])
        }
    }

    private func digestServer(_ algorithm: String) throws -> LocalTLSServer {
        let digest = DigestServer(algorithm: algorithm, user: "user", password: "open")
        return try LocalTLSServer.plain { request in
            digest.admits(request)
                ? .init(body: Data("in ".utf8) + request.body)
                : .text("out", status: 401, headers: [digest.challenge()])
        }
    }

    @Test func `Basic answers a challenge, and sends nothing before`() async throws {
        let server = try basicServer()
        let request = Session().request(server.url).authenticate(username: "user", password: "open")
        #expect(await request.serializingData().response.text == "in ")
        #expect(server.log.requests.map { $0.header("Authorization") } == [nil, Self.basic("user", "open")])
    }

    @Test func `a server that does not ask gets no credential`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("open to all") }
        let request = Session().request(server.url).authenticate(username: "user", password: "open")
        #expect(await request.serializingData().response.text == "open to all")
        #expect(server.log.requests.map { $0.header("Authorization") } == [nil])
    }

    @Test(arguments: ["MD5", "SHA-256"])
    func `Digest answers a challenge`(_ algorithm: String) async throws {
        let server = try digestServer(algorithm)
        let request = Session().request(server.url(host: "localhost", path: "/a?b=c"))
            .authenticate(with: URLCredential(user: "user", password: "open", persistence: .none))
        let response = await request.serializingData().response
        #expect(response.status == 200)
        #expect(response.text == "in ")
        #expect(server.log.requests.count == 2)
        #expect(server.log.requests.allSatisfy { !($0.header("Authorization") ?? "").contains("open") })
    }

    @Test func `Digest is chosen where both are offered`() async throws {
        let digest = DigestServer(user: "user", password: "open")
        let server = try LocalTLSServer.plain { request in
            digest.admits(request)
                ? .text("in") : .text("out", status: 401, headers: [Self.basicChallenge, digest.challenge()])
        }
        let request = Session().request(server.url).authenticate(username: "user", password: "open")
        #expect(await request.serializingData().response.text == "in")
        #expect(!server.log.requests.contains { $0.header("Authorization")?.hasPrefix("Basic") == true })
    }

    @Test func `a nonce that has become stale is replaced`() async throws {
        let old = DigestServer(nonce: "old", user: "user", password: "open")
        let new = DigestServer(nonce: "new", user: "user", password: "open")
        let server = try LocalTLSServer.plain { request in
            if new.admits(request) { return .text("in") }
            return .text(
                "out",
                status: 401,
                headers: [old.admits(request) ? new.challenge(stale: true) : old.challenge()]
            )
        }
        let request = Session().request(server.url).authenticate(username: "user", password: "open")
        #expect(await request.serializingData().response.text == "in")
        #expect(server.log.requests.count == 3)
    }

    enum Scheme: String, CaseIterable { case basic, digest }

    @Test(arguments: Scheme.allCases)
    func `a wrong password ends with the 401 as the response, once`(_ scheme: Scheme) async throws {
        let server = try scheme == .basic ? basicServer() : digestServer("MD5")
        let heads = Recorded<Int>()
        let request = Session().request(server.url).authenticate(username: "user", password: "wrong")
            .onHTTPResponse { heads.add($0.statusCode) }
        let response = await request.serializingData().response
        #expect(response.status == 401)
        #expect(response.text == "out")
        #expect(server.log.requests.count == 2)
        #expect(try await eventually { heads.all == [401] })
    }

    @Test(arguments: Scheme.allCases)
    func `of a challenge that is answered neither head nor body is seen`(_ scheme: Scheme) async throws {
        let server = try scheme == .basic ? basicServer() : digestServer("MD5")
        let session = Session()
        let heads = Recorded<Int>()
        let request = session.download(server.url).authenticate(username: "user", password: "open")
            .onHTTPResponse { heads.add($0.statusCode) }
        let file = try await request.serializingDownloadedFileURL().value
        #expect(try Data(contentsOf: file) == Data("in ".utf8))
        try FileManager.default.removeItem(at: file)
        #expect(try await eventually { heads.all == [200] })
    }

    @Test(arguments: ["Negotiate", "Bearer realm=\"x\"", "Digest realm=\"x\", nonce=\"n\", algorithm=TURTLE", ""])
    func `a challenge that cannot be answered is the response`(_ challenge: String) async throws {
        let server = try LocalTLSServer.plain { _ in
            .text("out", status: 401, headers: [.init("WWW-Authenticate", challenge)])
        }
        let request = Session().request(server.url).authenticate(username: "user", password: "open")
        let response = await request.serializingData().response
        #expect(response.status == 401)
        #expect(response.text == "out")
        #expect(server.log.requests.count == 1)
    }

    @Test func `a challenge without a body is the response to wrong credentials`() async throws {
        let server = try LocalTLSServer.plain { _ in .init(status: 401, headers: [Self.basicChallenge]) }
        let session = Session()
        let response = await session.request(server.url).authenticate(username: "a", password: "b").serializingData()
            .response
        #expect(response.status == 401)
        #expect(response.data?.isEmpty == true)
        let download = await session.download(server.url).authenticate(username: "a", password: "b")
            .serializingDownloadedFileURL().response
        #expect(download.response?.statusCode == 401)
        #expect(download.fileURL != nil)
        if let file = download.fileURL { try FileManager.default.removeItem(at: file) }
    }

    @Test(arguments: Scheme.allCases)
    func `a body is sent again after the challenge`(_ scheme: Scheme) async throws {
        let server = try scheme == .basic ? basicServer() : digestServer("MD5")
        let request = Session().upload(Data("body".utf8), to: server.url)
            .authenticate(username: "user", password: "open")
        #expect(await request.serializingData().response.text == "in body")
    }

    @Test func `a stream that was read cannot answer a challenge`() async throws {
        let server = try basicServer()
        let request = Session().upload(InputStream(data: Data("body".utf8)), to: server.url)
            .authenticate(username: "user", password: "open")
        let response = await request.serializingData().response
        #expect(response.error?.transportError?.code == .bodyUnreadable)
        #expect(!server.log.requests.contains { $0.header("Authorization") != nil })
    }

    @Test func `a credential stays at its origin`() async throws {
        let other = try basicServer()
        let server = try LocalTLSServer.plain { request in
            switch request.path {
            case "/away": .redirect(to: other.url(host: "localhost", path: "/").absoluteString)
            case "/within": .redirect(to: "/private")
            default:
                request.header("Authorization") == Self.basic("user", "open")
                    ? .text("in") : .text("out", status: 401, headers: [Self.basicChallenge])
            }
        }
        let session = Session()
        func get(_ path: String) async -> DataResponse<Data, SessionError> {
            await session.request(server.url(host: "localhost", path: path))
                .authenticate(username: "user", password: "open").serializingData().response
        }
        #expect(await get("/within").text == "in")
        #expect(await get("/away").status == 401)
        #expect(other.log.requests.map { $0.header("Authorization") } == [nil])
    }

    @Test func `a credential that left its origin does not come back with the request`() async throws {
        let back = Mutex<URL?>(nil)
        let other = try LocalTLSServer.plain { _ in .redirect(to: back.withLock { $0?.absoluteString } ?? "/") }
        let server = try LocalTLSServer.plain { request in
            request.path == "/away"
                ? .redirect(to: other.url.absoluteString)
                : .text("out", status: 401, headers: [Self.basicChallenge])
        }
        back.withLock { $0 = server.url }
        let response = await Session().request(server.url(host: "localhost", path: "/away"))
            .authenticate(username: "user", password: "open").serializingData().response
        #expect(response.status == 401)
        #expect(server.log.requests.count == 2)
        #expect(server.log.requests.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test func `nothing of a credential is left for the next request`() async throws {
        let server = try basicServer()
        let session = Session()
        let with = session.request(server.url).authenticate(username: "user", password: "open")
        #expect(await with.serializingData().response.status == 200)
        #expect(await session.get(server.url).status == 401)
        #expect(server.log.requests.last?.header("Authorization") == nil)
    }

    @Test func `a field of the request's own is put before the credential`() async throws {
        let server = try basicServer()
        let response = await Session().request(server.url, headers: ["Authorization": "Bearer mine"])
            .authenticate(username: "user", password: "open").serializingData().response
        #expect(response.status == 401)
        #expect(server.log.requests.map { $0.header("Authorization") } == ["Bearer mine"])
    }

    @Test(arguments: [("ü", "日"), ("user", "p:q"), ("", "open"), ("user", ""), ("a b\"c\\d", "x")])
    func `names and passwords are sent in UTF-8`(_ user: String, password: String) async throws {
        let server = try LocalTLSServer.plain { request in
            request.header("Authorization") == Self.basic(user, password)
                ? .text("in") : .text("out", status: 401, headers: [Self.basicChallenge])
        }
        let request = Session().request(server.url).authenticate(username: user, password: password)
        #expect(await request.serializingData().response.text == "in")
    }

    @Test(arguments: [("a:b", "x"), ("a\r\nEvil: 1", "x"), ("a\0b", "x"), ("a", "x\0y"), ("a", "x\ny")])
    func `names and passwords that cannot be sent end the request before it goes out`(
        _ user: String,
        password: String
    ) async throws {
        let server = try basicServer()
        let response = await Session().request(server.url).authenticate(username: user, password: password)
            .serializingData().response
        guard case .urlRequestValidationFailed(.invalidCredential) = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(server.log.connections == 0)
    }

    @Test func `a challenge is answered over TLS and HTTP/2`() async throws {
        let world = try World()
        let files = try TemporaryDirectory()
        let passwords = try files.write("user:{PLAIN}open\n", to: "passwords")
        _ = try files.write("in", to: "private.txt")
        let server = try await NginxServer.start(
            identity: .init(certificateChain: world.identity.chainPEM, privateKey: world.identity.privateKeyPEM),
            serverConfiguration: """
                location /files/ { auth_basic here; auth_basic_user_file \(passwords); alias \(files.path)/; }
                """
        )
        defer { server.stop() }
        let url = try #require(URL(string: "https://localhost:\(server.port)/files/private.txt"))
        let session = Session(serverTrustManager: try world.manager())
        let request = session.request(url).authenticate(username: "user", password: "open")
        let response = await request.serializingData().response
        #expect(response.text == "in", "\(response)")
        let wrong = session.request(url).authenticate(username: "user", password: "wrong")
        #expect(await wrong.serializingData().response.status == 401)
        #expect(await session.get(url).status == 401)
    }
}
