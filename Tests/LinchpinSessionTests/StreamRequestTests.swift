import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Synchronization
import Testing

@testable import LinchpinSession

@Suite struct StreamRequestTests {
    private static let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    @Test func `a body comes in parts that are the body together`() async throws {
        let server = try LocalTLSServer.plain { _ in .init(body: Self.content) }
        let session = Session()
        var received = Data()
        for try await part in session.streamRequest(server.url).streamTask().streamingData() { received += part }
        #expect(received == Self.content)
    }

    @Test func `a closure gets the parts in order, and the end once`() async throws {
        let server = try LocalTLSServer.plain { _ in .init(body: Self.content) }
        let session = Session()
        let received = Mutex(Data())
        let completion = await withCheckedContinuation { continuation in
            session.streamRequest(server.url).responseStream { stream in
                switch stream.event {
                case .stream(.success(let part)): received.withLock { $0 += part }
                case .complete(let completion): continuation.resume(returning: completion)
                }
            }
        }
        #expect(completion.error == nil)
        #expect(completion.response?.statusCode == 200)
        #expect(received.withLock { $0 } == Self.content)
    }

    @Test func `two readers get every part`() async throws {
        let server = try LocalTLSServer.plain { _ in .init(body: Self.content) }
        let configuration = SessionConfiguration.with { $0.startRequestsImmediately = false }
        let session = Session(configuration: configuration)
        let request = session.streamRequest(server.url)
        var first = request.streamTask().streamingData().makeAsyncIterator()
        var second = request.streamTask().streamingData().makeAsyncIterator()
        request.resume()
        var received = (Data(), Data())
        while let part = try await first.next() {
            received.0 += part
            if let other = try await second.next() { received.1 += other }
        }
        while let part = try await second.next() { received.1 += part }
        #expect(received.0 == Self.content)
        #expect(received.1 == Self.content)
    }

    @Test func `what nobody reads is not read from the server`() async throws {
        let body = Data(repeating: 1, count: 50_000_000)
        let server = try LocalTLSServer.plain { _ in .init(body: body) }
        let session = Session()
        let request = session.streamRequest(server.url)
        var parts = request.streamTask().streamingData().makeAsyncIterator()
        var count = try await #require(parts.next()).count
        // The transfer has come to rest once other requests on the loop have gone by twice without progress.
        var before: Int64 = -1
        while before != request.downloadReporter.latest?.completedUnitCount {
            before = request.downloadReporter.latest?.completedUnitCount ?? 0
            for _ in 0..<20 { _ = await session.get(try LocalTLSServer.plain().url) }
        }
        #expect(before < 1_000_000)
        while let part = try await parts.next() { count += part.count }
        #expect(count == body.count)
    }

    @Test func `no idle time-out passes while the reader rests`() async throws {
        let body = Data(repeating: 1, count: 20_000_000)
        let server = try LocalTLSServer.plain { _ in .init(body: body) }
        let session = Session()
        let request = session.streamRequest(server.url, timeouts: Timeouts(idle: 1))
        var parts = request.streamTask().streamingData().makeAsyncIterator()
        var count = try await #require(parts.next()).count
        // Another request's time-out of twice that length is the clock.
        let silent = try LocalTLSServer.plain { _ in .fault(.hold) }
        #expect(await session.get(silent.url, timeouts: Timeouts(request: 1.5)).error?.isTimeout == true)
        while let part = try await parts.next() { count += part.count }
        #expect(count == body.count)
    }

    @Test func `a body that breaks off throws after its last part`() async throws {
        let server = try LocalTLSServer.plain { _ in .init(body: Self.content, fault: .closeAfter(bytes: 100_000)) }
        let session = Session()
        var received = Data()
        let error = await #expect(throws: SessionError.self) {
            for try await part in session.streamRequest(server.url).streamTask().streamingData() { received += part }
        }
        #expect(error?.transportError?.code == .connectionLost)
        #expect(received == Self.content.prefix(100_000))
    }

    @Test func `letting go of the iterator ends the request`() async throws {
        let server = try LocalTLSServer.plain { _ in .init(body: Self.content, fault: .holdAfter(bytes: 1_000)) }
        let session = Session()
        let request = session.streamRequest(server.url)
        for try await _ in request.streamTask().streamingData() { break }
        #expect(request.state == .cancelled)
    }

    @Test func `the final response is told before its body, a redirect's is not`() async throws {
        let server = try LocalTLSServer.plain {
            $0.path == "/" ? .redirect(to: "/next") : .init(body: Self.content, fault: .holdAfter(bytes: 0))
        }
        let session = Session()
        let seen = AsyncStream.makeStream(of: Int.self)
        let request = session.streamRequest(server.url).onHTTPResponse { seen.continuation.yield($0.statusCode) }
        request.responseStream { _ in }
        for await status in seen.stream {
            #expect(status == 200)
            break
        }
        request.cancel()
    }

    @Test func `a body that becomes too large while its reader reads ends then, and not with the server's silence`()
        async throws
    {
        // 3 MB of zeros, of which the whole came before the reader began.
        let zeros = try #require(
            Data(
                base64Encoded:
                    "KLUv/QBoTAAACAABAPz/ORACAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAA"
                    + "AgAQAAIAEAACABAAAgAQAAIAEAACABAAAzYOAA=="
            )
        )
        let server = try LocalTLSServer.plain { _ in
            .init(
                headers: [.init("Content-Encoding", "zstd")],
                body: zeros + Data(count: 1),
                fault: .holdAfter(bytes: zeros.count)
            )
        }
        let session = Session(configuration: .with { $0.responseLimits.bodyBytes = 1_000_000 })
        let parts = session.streamRequest(server.url, timeouts: Timeouts(request: 20)).streamTask().streamingData()
        var count = 0
        let error = await #expect(throws: SessionError.self) {
            for try await part in parts { count += part.count }
        }
        #expect(error?.transportError?.code == .responseTooLarge)
        #expect((900_000...1_000_000).contains(count))
    }
}
