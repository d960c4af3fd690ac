import Foundation
import FoundationNetworking
import LinchpinTesting
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
}
