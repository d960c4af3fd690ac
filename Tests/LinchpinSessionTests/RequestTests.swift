import Foundation
import FoundationNetworking
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

@Suite struct RequestTests {
    @Test(arguments: [HTTPMethod.get, .head, .delete, .options, .patch, .post, .put, .init(rawValue: "PURGE")])
    func `a method is sent as it is, with a length where it has a body by nature`(_ method: HTTPMethod) async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let session = Session()
        let response = await session.request(server.url, method: method).serializingData().response
        #expect(response.status == 200)
        #expect(response.text == (method == .head ? "" : "hello"))
        let request = try #require(server.log.requests.first)
        #expect(request.method == method.rawValue)
        #expect(request.header("Content-Length") == ([.patch, .post, .put].contains(method) ? "0" : nil))
        #expect(request.header("Content-Type") == nil)
        #expect(request.header("Expect") == nil)
    }

    @Test(arguments: [Data(), Data([0, 1, 0, 2]), Data(repeating: 0xA5, count: 3_000_000)])
    func `a body arrives byte for byte, with its length`(_ body: Data) async throws {
        let server = try LocalTLSServer.plain { .init(body: $0.body) }
        var request = URLRequest(url: server.url)
        request.httpMethod = "POST"
        request.httpBody = body
        let response = await Session().request(request).serializingData(emptyResponseCodes: [200]).response
        #expect(response.value == body)
        #expect(server.log.requests.first?.header("Content-Length") == "\(body.count)")
        #expect(server.log.requests.first?.header("Transfer-Encoding") == nil)
    }

    @Test func `a slice of data is sent from its own start`() async throws {
        let server = try LocalTLSServer.plain { .init(body: $0.body) }
        var request = URLRequest(url: server.url)
        request.httpMethod = "PUT"
        request.httpBody = Data("xxhello".utf8)[2...]
        #expect(await Session().request(request).serializingData().response.text == "hello")
    }

    @Test(arguments: ["GET", "HEAD"])
    func `a body on a method that has none is refused before anything is sent`(_ method: String) async throws {
        let server = try LocalTLSServer.plain()
        var request = URLRequest(url: server.url)
        request.httpMethod = method
        request.httpBody = Data("x".utf8)
        guard
            case .urlRequestValidationFailed(.bodyDataInGETRequest) =
                await Session().request(request).serializingData().response.error
        else {
            Issue.record("it was sent")
            return
        }
        #expect(server.log.connections == 0)
    }

    @Test(arguments: [
        ("X", "v\r\nEvil: 1"), ("X", "v\nEvil: 1"), ("X", "v\rEvil"), ("X", "v\0"), ("X\r\nY", "v"), ("X Y", "v"),
        ("", "v"), ("X:", "v"), ("é", "v"),
    ])
    func `a header that would make another one is refused before anything is sent`(
        _ name: String,
        value: String
    ) async throws {
        let server = try LocalTLSServer.plain()
        let response = await Session().get(server.url, headers: [name: value])
        guard case .urlRequestValidationFailed(.invalidHeader(name)) = response.error else {
            Issue.record("\(String(describing: response.error))")
            return
        }
        #expect(server.log.connections == 0)
    }

    @Test(arguments: ["", "a b", "GET\r\nX: y", "GÉT", "CONNECT"])
    func `a method that cannot be sent is refused before anything is sent`(_ method: String) async throws {
        let server = try LocalTLSServer.plain()
        let response = await Session().request(server.url, method: .init(rawValue: method)).serializingData().response
        guard case .urlRequestValidationFailed(.invalidMethod(method)) = response.error else {
            Issue.record("\(String(describing: response.error))")
            return
        }
        #expect(server.log.connections == 0)
    }

    @Test func `headers arrive as they are, empty and non-ASCII ones too`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let headers: HTTPHeaders = ["X-Empty": "", "X-Name": "é日", "X-Long": String(repeating: "a", count: 5_000)]
        #expect(await Session().get(server.url, headers: headers).status == 200)
        for header in headers { #expect(server.log.requests.first?.header(header.name) == header.value) }
    }

    @Test(arguments: [("", ""), (" ", ""), ("\t ", ""), (" a", "a"), (";", ";")])
    func `a header is sent, whatever its value`(_ value: String, arrives: String) async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        #expect(await Session().get(server.url, headers: ["X-Some": value]).status == 200)
        #expect(server.log.requests.first?.header("X-Some") == arrives)
    }

    @Test func `nothing of one request carries over to the next on the same handle`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let session = Session()
        var first = URLRequest(url: server.url)
        first.httpMethod = "POST"
        first.httpBody = Data("body".utf8)
        first.setValue("1", forHTTPHeaderField: "X-First")
        #expect(await session.request(first).serializingData().response.status == 200)
        #expect(await session.request(server.url, method: .head).serializingData().response.status == 200)
        #expect(await session.get(server.url).text == "hello")
        let last = try #require(server.log.requests.last)
        #expect(last.method == "GET")
        #expect(last.body.isEmpty)
        #expect(last.header("X-First") == nil)
    }

    @Test func `response fields keep their order and repetition, whatever their case`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .init(headers: [.init("x-b", "1"), .init("X-A", "2"), .init("X-B", "3"), .init("X-L", "caf\u{e9}")])
        }
        let response = await Session().get(server.url)
        #expect(response.headers.values(for: "X-B") == ["1", "3"])
        #expect(response.headers["x-a"] == "2")
        #expect(response.headers["X-L"] == "café")
        #expect(response.response?.value(forHTTPHeaderField: "X-a") == "2")
    }

    struct Garbage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: String
    }

    @Test(arguments: [
        Garbage(testDescription: "no HTTP", bytes: "hello\r\n\r\n"),
        Garbage(testDescription: "nothing", bytes: ""),
        Garbage(testDescription: "a head that ends early", bytes: "HTTP/1.1 200 OK\r\nContent-"),
        Garbage(testDescription: "a short body", bytes: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour"),
        Garbage(
            testDescription: "bad chunks",
            bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello"
        ),
        Garbage(
            testDescription: "plain text that is called gzip",
            bytes: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"
        ),
    ])
    func `an answer that is not HTTP is one error, and the session lives`(_ garbage: Garbage) async throws {
        let server = try LocalTLSServer.plain { request in
            request.path == "/good" ? .text("hello") : .fault(.raw(Data(garbage.bytes.utf8)))
        }
        let session = Session()
        let response = await session.get(server.url)
        #expect(response.error?.transportError != nil)
        #expect(response.data == nil)
        #expect(await session.get(server.url(host: "localhost", path: "/good")).text == "hello")
    }

    @Test func `a status without a reason, a folded field and an early hint are read`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .fault(
                .raw(
                    Data(
                        ("HTTP/1.1 103 Early Hints\r\nX-Hint: 1\r\n\r\n"
                            + "HTTP/1.1 200\r\nX-F: a\r\n  b\r\nContent-Length: 2\r\n\r\nok").utf8
                    )
                )
            )
        }
        let response = await Session().get(server.url)
        #expect(response.status == 200)
        #expect(response.text == "ok")
        #expect(response.headers["X-Hint"] == nil)
        #expect(response.headers["X-F"] == "a b")
    }

    @Test(arguments: [
        "ftp://localhost/", "file:///etc/passwd", "https://", "https:///path", "relative", "https://a..b/",
        "https://.example.com/", "https://exa mple.com/", "https://localhost:99999/", "https://a%00b/",
    ])
    func `what is no http URL is an error and no request`(_ text: String) async {
        let error = await Session().request(text).serializingData().response.error
        switch error {
        case .invalidURL, .urlRequestValidationFailed(.unsupportedURL): break
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test func `every spelling of a host finds its policy`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let manager = try ServerTrustManager(
            evaluators: ["LocalHost.": world.pinned(), "127.0.0.1": world.wronglyPinned()]
        )
        let session = Session(serverTrustManager: manager)
        // With the trailing dot the name needs a resolver that knows it; its policy is looked up all the same, see
        // the test of plain http.
        for host in ["localhost", "LOCALHOST", "LocalHost"] {
            #expect(await session.get(server.url(host: host)).text == "hello", "\(host)")
        }
        for host in ["127.0.0.1", "2130706433", "0x7f000001", "127.1"] {
            let url = try #require(URL(string: "https://\(host):\(server.port)/"))
            #expect(await session.get(url).refusal == .pinMismatch, "\(host)")
        }
    }

    @Test func `an IPv6 host is judged by its address`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity, configuration: .init(address: .ipv6)) { _ in
            .text("hello")
        }
        let session = Session(serverTrustManager: try ServerTrustManager(evaluators: ["::1": world.pinned()]))
        for host in ["[::1]", "[0:0:0:0:0:0:0:1]"] {
            let url = try #require(URL(string: "https://\(host):\(server.port)/"))
            #expect(await session.get(url).text == "hello", "\(host)")
        }
        #expect(server.log.handshakes.allSatisfy { $0.serverName == nil })
    }

    @Test func `the Host field does not change who is judged`() async throws {
        let world = try World()
        let server = try LocalTLSServer(
            identity: try world.root.issue([.dns("api.example.com")], key: world.identity.privateKey)
        )
        let session = Session(serverTrustManager: try world.manager())
        #expect(await session.get(server.url, headers: ["Host": "api.example.com"]).refusal == .hostMismatch)
        #expect(server.log.bytesReceived == 0)
    }

    @Test func `an evaluator that was told so accepts another name`() async throws {
        let world = try World()
        let identity = try world.root.issue([.dns("other.test")], key: world.identity.privateKey)
        let server = try LocalTLSServer(identity: identity) { _ in .text("hello") }
        let lax = try PublicKeyPinsTrustEvaluator(
            pins: [identity.pin.description],
            requiresBackupPin: false,
            validateHost: false,
            roots: world.roots
        )
        for evaluator in [lax, DisabledTrustEvaluator()] as [any ServerTrustEvaluating] {
            let session = Session(serverTrustManager: try ServerTrustManager(evaluators: ["localhost": evaluator]))
            #expect(await session.get(server.url).text == "hello")
        }
        let strict = Session(serverTrustManager: try world.manager())
        #expect(await strict.get(server.url).refusal == .hostMismatch)
    }

    /// Looks at nothing, but does not say that any name will do.
    struct Careless: ServerTrustEvaluating {
        func evaluate(_ trust: ServerTrust, forHost host: String) {}
    }

    @Test func `libcurl compares the host where a careless evaluator does not`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: try world.root.issue([.dns("other.test")]))
        let session = Session(serverTrustManager: try ServerTrustManager(evaluators: ["localhost": Careless()]))
        #expect(await session.get(server.url).refusal == .hostMismatch)
        #expect(server.log.bytesReceived == 0)
    }

    @Test func `a handshake that fails for another reason is told in OpenSSL's words`() async throws {
        let world = try World()
        let server = try LocalTLSServer(
            identity: world.identity,
            configuration: .init(minimumTLSVersion: .v1_0, maximumTLSVersion: .v1_1)
        )
        let error = await Session(serverTrustManager: try world.manager()).get(server.url).error?.transportError
        #expect(error?.code == .secureConnectionFailed)
        #expect(error?.curlCode == 35)
        #expect(error?.message.contains("error:0A") == true, "\(String(describing: error))")
    }

    @Test func `a host that refuses and a host without an address are told apart`() async throws {
        let server = try LocalTLSServer.plain()
        server.stop()
        let session = Session()
        #expect(await session.get(server.url(host: "127.0.0.1")).error?.transportError?.code == .cannotConnect)
        let nowhere = await session.request("http://nowhere.invalid/").serializingData().response
        #expect(nowhere.error?.transportError?.code == .cannotFindHost)
    }

    @Test func `a libcurl on another TLS library, or too old, is named`() {
        #expect(CurlLibrary.problem(versionNumber: 0x07_58_01, version: "7.88.1", tls: "OpenSSL/3.0.19") == nil)
        #expect(CurlLibrary.problem(versionNumber: 0x08_05_00, version: "8.5.0", tls: "OpenSSL/3.0.13") == nil)
        for tls in ["GnuTLS/3.7.9", "", "(OpenSSL/3.0.0) GnuTLS/3.7", "LibreSSL/3.8", "mbedTLS/3"] {
            let problem = CurlLibrary.problem(versionNumber: 0x08_05_00, version: "8.5.0", tls: tls)
            #expect(problem?.contains("OpenSSL") == true, "\(tls)")
        }
        let old = CurlLibrary.problem(versionNumber: 0x07_57_00, version: "7.87.0", tls: "OpenSSL/3.0.8")
        #expect(old?.contains("7.87.0") == true)
    }
}
