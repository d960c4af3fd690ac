import Foundation
import LinchpinTestSupport
import LinchpinTesting
import Synchronization
import Testing

@testable import LinchpinSession

@Suite struct SuspensionTests {
    @Test func `a request that is suspended before its start is not sent until it is resumed`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let session = Session()
        let request = session.request(server.url).suspend()
        let task = request.serializingData()
        #expect(await session.get(server.url).status == 200)
        #expect(request.state == .suspended)
        #expect(server.log.requests.count == 1)
        request.resume()
        #expect(await task.response.text == "hello")
    }

    @Test func `a body stops coming while its request is suspended, and no idle time-out passes`() async throws {
        let body = Data(repeating: 1, count: 30_000_000)
        let server = try LocalTLSServer.plain { _ in
            .init(body: body, fault: .trickle(bytesPerChunk: 2_000_000, every: 0.05))
        }
        let silent = try LocalTLSServer.plain { _ in .fault(.hold) }
        let session = Session()
        let request = session.request(server.url, timeouts: Timeouts(idle: 1))
        // Not by the test's own task, which may not run before the whole body is there.
        let suspended = AsyncStream.makeStream(of: Void.self)
        let isFirst = Mutex(true)
        request.downloadProgress { _ in
            guard
                isFirst.withLock({ first in
                    defer { first = false }; return first
                })
            else { return }
            request.suspend()
            suspended.continuation.finish()
        }
        let task = request.serializingData()
        for await _ in suspended.stream {}
        #expect(await session.get(silent.url, timeouts: Timeouts(request: 1.5)).error?.isTimeout == true)
        let before = request.downloadReporter.latest
        #expect(await session.get(silent.url, timeouts: Timeouts(request: 0.1)).error?.isTimeout == true)
        #expect(request.downloadReporter.latest == before)
        #expect(request.state == .suspended)
        request.resume()
        let response = await task.response
        #expect(response.value?.count == body.count, "\(response)")
    }

    @Test func `a suspended request can be cancelled`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        let request = Session().request(server.url)
        let task = request.serializingData()
        request.suspend().cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(request.state == .cancelled)
    }
}
