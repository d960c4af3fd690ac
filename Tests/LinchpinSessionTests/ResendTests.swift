import Foundation
import FoundationNetworking
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

/// What becomes of a request on a kept connection that is lost before an answer comes.
@Suite struct ResendTests {
    private func send(
        _ method: HTTPMethod,
        _ body: Data?
    ) async throws -> (times: Int, response: DataResponse<Data, SessionError>) {
        let answered = Mutex(0)
        let server = try LocalTLSServer.plain { _ in
            let number = answered.withLock { answered in
                answered += 1
                return answered
            }
            return number == 2 ? .fault(.close) : .text("hello")
        }
        let session = Session()
        #expect(await session.get(server.url).status == 200)
        var request = try URLRequest(url: server.url, method: method)
        request.httpBody = body
        let response = await session.request(request).serializingData().response
        await session.invalidate()
        return (server.log.requests.dropFirst().count, response)
    }

    @Test(arguments: [HTTPMethod.post, .patch, .init(rawValue: "CHARGE")])
    func `a request that the server may have acted on is not sent again`(_ method: HTTPMethod) async throws {
        let (times, response) = try await send(method, Data("amount=100".utf8))
        #expect(times == 1)
        #expect(response.error?.transportError?.code == .connectionLost)
    }

    @Test(arguments: [HTTPMethod.get, .head, .delete, .put, .options])
    func `a request that does no harm twice is sent again`(_ method: HTTPMethod) async throws {
        let (times, response) = try await send(method, method == .put ? Data("whole".utf8) : nil)
        #expect(times == 2)
        #expect(response.status == 200)
    }

    /// libcurl counts how often it sent a request again, and gives up at the sixth time.
    @Test func `many requests that had to be sent again do not add up`() async throws {
        let answered = Mutex(0)
        let server = try LocalTLSServer.plain { _ in
            let number = answered.withLock { answered in
                answered += 1
                return answered
            }
            return number % 2 == 0 ? .fault(.close) : .text("hello")
        }
        let session = Session()
        for _ in 0..<10 {
            let response = await session.get(server.url)
            #expect(response.status == 200, "\(String(describing: response.error))")
        }
        await session.invalidate()
        #expect(server.log.requests.count == 19)
    }

    /// libcurl takes a TLS connection for one that lives while nobody has read the server's farewell.
    @Test(arguments: [HTTPMethod.get, .post], [false, true])
    func `a request comes through however many kept connections the server has closed`(
        _ method: HTTPMethod,
        isProxy: Bool
    ) async throws {
        let count = 20
        let world = try World()
        let arrived = DispatchGroup()
        for _ in 0..<count { arrived.enter() }
        let server = try LocalTLSServer(identity: world.identity) { request in
            guard request.target.hasSuffix("/burst") else { return .text("hello") }
            arrived.leave()
            _ = arrived.wait(timeout: .now() + 20)
            return .fault(.closeAfter(bytes: 1_000))
        }
        let way = Proxy(scheme: .https, host: "localhost", port: Int(server.port))
        let session = Session(
            configuration: .with {
                $0.httpVersion = .http1
                $0.proxy = isProxy ? way : nil
            },
            serverTrustManager: try ServerTrustManager(
                allHostsMustBeEvaluated: false,
                evaluators: ["localhost": world.pinned()]
            )
        )
        let url = try isProxy ? #require(URL(string: "http://elsewhere.example/")) : server.url
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask { #expect(await session.get(url.appending(path: "burst")).status == 200) }
            }
        }
        #expect(server.log.connections == count)
        let response = await session.request(url, method: method).serializingData().response
        #expect(response.text == "hello", "\(String(describing: response.error))")
        await session.invalidate()
    }
}
