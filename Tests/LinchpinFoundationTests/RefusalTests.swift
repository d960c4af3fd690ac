import Foundation
import FoundationNetworking
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinFoundation

/// The ways in which a task can be made; each gives its error, or nil.
enum Way: CaseIterable {
    case asyncData, asyncUpload, asyncDownload, dataHandler, uploadHandler, downloadHandler
    case dataDelegate, uploadDelegate, streamDelegate, downloadDelegate

    func run(_ session: Session?, _ url: URL) async -> URLError? {
        let recorder = Recorder(makeStream: { InputStream(data: Data("body".utf8)) })
        let client = URLSession(carriedBy: session, delegate: recorder)
        let post = URLRequest(url, method: "POST")
        switch self {
        case .asyncData: return await client.failure(url)
        case .asyncUpload: return await Self.error { _ = try await client.upload(for: post, from: Data("body".utf8)) }
        case .asyncDownload:
            return await Self.error {
                try FileManager.default.removeItem(at: try await client.download(from: url).0)
            }
        case .dataHandler:
            return await Self.handled { end in client.dataTask(with: url) { end($2) } }
        case .uploadHandler:
            return await Self.handled { end in
                client.uploadTask(with: post, from: Data("body".utf8)) { end($2) }
            }
        case .downloadHandler:
            return await Self.handled { end in
                client.downloadTask(with: url) { file, _, error in
                    if let file { try? FileManager.default.removeItem(at: file) }
                    end(error)
                }
            }
        case .dataDelegate: return await Self.ended(recorder, client.dataTask(with: url))
        case .uploadDelegate:
            return await Self.ended(recorder, client.uploadTask(with: post, from: Data("body".utf8)))
        case .streamDelegate: return await Self.ended(recorder, client.uploadTask(withStreamedRequest: post))
        case .downloadDelegate: return await Self.ended(recorder, client.downloadTask(with: url))
        }
    }

    private static func error(_ work: () async throws -> Void) async -> URLError? {
        do {
            try await work()
            return nil
        } catch {
            return error as? URLError
        }
    }

    private static func handled(
        _ make: (@escaping @Sendable ((any Error)?) -> Void) -> URLSessionTask
    ) async -> URLError? {
        await withCheckedContinuation { continuation in
            make { continuation.resume(returning: $0 as? URLError) }.resume()
        }
    }

    private static func ended(_ recorder: Recorder, _ task: URLSessionTask) async -> URLError? {
        let record = await recorder.run(task)
        #expect(record.ends.count == 1)
        return record.ends.first ?? nil
    }
}

@Suite struct RefusalTests {
    @Test(arguments: Way.allCases)
    func `every kind of task reaches a server with the right pin`(_ way: Way) async throws {
        let world = try World()
        let server = try world.server()
        #expect(await way.run(try world.pinned(), server.url) == nil)
        #expect(server.log.requestCount == 1)
    }

    @Test(arguments: Way.allCases)
    func `no byte of any kind of task reaches a server with a wrong pin`(_ way: Way) async throws {
        let world = try World()
        let server = try world.server()
        let error = await way.run(try world.wronglyPinned(), server.url)
        #expect(error?.code == .serverCertificateUntrusted)
        #expect(error?.refusal == .pinMismatch)
        #expect(server.isUntouched)
        #expect(await server.waitUntil { $0.handshakeCount > 0 })
    }

    @Test(arguments: Way.allCases)
    func `a configuration that names no session sends nothing`(_ way: Way) async throws {
        let server = try LocalTLSServer.plain()
        #expect(await way.run(nil, server.url)?.code == .resourceUnavailable)
        #expect(server.log.connections == 0)
    }

    @Test(arguments: Way.allCases)
    func `tasks of an invalidated session fail`(_ way: Way) async throws {
        let world = try World()
        let server = try world.server()
        let session = try world.pinned()
        await session.invalidate()
        #expect(await way.run(session, server.url)?.code == .resourceUnavailable)
        #expect(server.log.connections == 0)
    }

    @Test func `the configuration keeps its session`() async throws {
        let world = try World()
        let server = try world.server()
        let client = try world.client()
        #expect(try await client.text(server.url) == "hello")
        #expect(try await client.text(server.url) == "hello")
        #expect(server.log.connections == 1, "the session's connection was not kept")
    }

    @Test func `refusals have the codes of Apple's systems`() async throws {
        for (validity, code) in [
            (Validity.expired, URLError.Code.serverCertificateHasBadDate),
            (.notYetValid, .serverCertificateNotYetValid),
        ] {
            let world = try World(validity: validity)
            let server = try world.server()
            #expect(try await world.client().failure(server.url)?.code == code)
            #expect(server.isUntouched)
        }
        let (world, stranger) = (try World(), try World())
        let server = try stranger.server()
        #expect(try await world.client().failure(server.url)?.code == .serverCertificateHasUnknownRoot)
        let plain = try LocalTLSServer.plain()
        #expect(try await world.client().failure(plain.url)?.code == .appTransportSecurityRequiresSecureConnection)
        let other = try await world.client().failure(plain.url(host: "127.0.0.1"))
        #expect(other?.code == .serverCertificateUntrusted, "no evaluator judges this host")
        #expect(server.isUntouched)
        #expect(plain.log.connections == 0)
    }

    @Test func `a challenge leads to no connection that nobody judges`() async throws {
        let world = try World()
        let server = try world.server { _ in
            .text("no", status: 401, headers: [.init("WWW-Authenticate", "Basic realm=\"x\""), .init("X-Other", "y")])
        }
        let recorder = Recorder()
        let client = try world.client(delegate: recorder) { configuration in
            let space = URLProtectionSpace(
                host: "localhost",
                port: Int(server.port),
                protocol: "https",
                realm: "x",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic
            )
            let credential = URLCredential(user: "user", password: "secret", persistence: .forSession)
            configuration.urlCredentialStorage?.setDefaultCredential(credential, for: space)
        }
        let record = await recorder.run(client.dataTask(with: server.url))
        #expect(record.ends == [nil])
        #expect(record.text == "no")
        #expect(record.status == 401)
        #expect(record.responses.last?.value(forHTTPHeaderField: "WWW-Authenticate") == nil)
        #expect(record.responses.last?.value(forHTTPHeaderField: "X-Other") == "y")
        let (data, response) = try await client.data(from: server.url)
        #expect(String(decoding: data, as: UTF8.self) == "no")
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        #expect(recorder.noted.challenges == 0)
        #expect(server.log.requestCount == 2)
        #expect(server.log.requests.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test func `a web socket fails, and with it who waits for its messages`() async throws {
        let server = try LocalTLSServer.plain()
        let recorder = Recorder()
        let client = try World().client(delegate: recorder)
        for scheme in ["ws", "wss"] {
            let url = try #require(URL(string: "\(scheme)://localhost:\(server.port)/"))
            let task = client.webSocketTask(with: url)
            let record = await recorder.run(task)
            #expect(record.ends.last??.code == .unsupportedURL)
            await #expect(throws: (any Error).self) { try await task.receive() }
        }
        #expect(server.log.connections == 0)
    }

    @Test(arguments: ["ftp://localhost/", "file:///etc/passwd", "gopher://localhost/", "localhost"])
    func `other schemes are not carried`(_ text: String) async throws {
        let url = try #require(URL(string: text))
        #expect(try await World().client().failure(url)?.code == .unsupportedURL)
    }

    @Test func `an error shows no secrets of its URL`() async throws {
        let world = try World()
        let server = try world.server()
        let url = try #require(URL(string: "https://user:hidden@localhost:\(server.port)/path?token=hidden"))
        let error = try #require(await URLSession(carriedBy: try world.wronglyPinned()).failure(url))
        #expect(!"\(error)".contains("hidden"))
        #expect(!String(reflecting: error).contains("hidden"))
        #expect(error.failingURL?.path == "/path")
        #expect(server.isUntouched)
    }
}
