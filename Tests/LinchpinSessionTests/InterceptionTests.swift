import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Synchronization
import Testing

@testable import LinchpinSession

@Suite struct InterceptionTests {
    /// Adds a letter to a field on each attempt, and answers the retrier's question from a list.
    private final class Marker: RequestInterceptor {
        let letter: String
        let answers: Mutex<[RetryResult]>
        let asked = Mutex<[SessionError]>([])

        init(_ letter: String, _ answers: [RetryResult] = []) {
            self.letter = letter
            self.answers = Mutex(answers)
        }

        func adapt(
            _ urlRequest: URLRequest,
            for session: Session,
            completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            var request = urlRequest
            request.setValue((request.value(forHTTPHeaderField: "X-Mark") ?? "") + letter, forHTTPHeaderField: "X-Mark")
            completion(.success(request))
        }

        func retry(
            _ request: Request,
            for session: Session,
            dueTo error: any Error,
            completion: @escaping @Sendable (RetryResult) -> Void
        ) {
            asked.withLock { $0.append(error.asRequestCreationError) }
            let answer = answers.withLock { $0.isEmpty ? .doNotRetry : $0.removeFirst() }
            completion(answer)
            // A second answer comes too late.
            completion(.doNotRetry)
            completion(.retry)
        }
    }

    private struct Refusal: Error {}

    /// Lets go of a session at a time of its own.
    private final class Holder: Sendable {
        let session: Mutex<Session?>
        init(_ session: Session) { self.session = Mutex(session) }
    }

    @Test func `the request's own interceptor adapts before the session's, on each attempt`() async throws {
        let server = try LocalTLSServer.plain { _ in .init(body: Data("x".utf8), fault: .reset) }
        let session = Session(interceptor: Marker("s"))
        let own = Marker("r", [.retry, .retryWithDelay(0.01)])
        let request = session.request(server.url, interceptor: own)
        let response = await request.serializingData().response
        #expect(response.error?.transportError?.code == .connectionLost)
        #expect(server.log.requests.map { $0.header("X-Mark") } == ["rs", "rs", "rs"])
        #expect(own.asked.withLock { $0.count } == 3)
        #expect(request.retryCount == 2)
    }

    @Test func `an adapter's error ends the request, and nothing is sent`() async throws {
        struct Failing: RequestInterceptor {
            func adapt(
                _ urlRequest: URLRequest,
                for session: Session,
                completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
            ) {
                completion(.failure(Refusal()))
            }
        }
        let server = try LocalTLSServer.plain()
        let error = await Session(interceptor: Failing()).get(server.url).error
        guard case .requestAdaptationFailed(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause is Refusal)
        #expect(server.log.connections == 0)
    }

    @Test func `a retrier's own error is told beside the first`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.reset) }
        let marker = Marker("", [.doNotRetryWithError(Refusal())])
        let error = await Session(interceptor: marker).get(server.url).error
        guard case .requestRetryFailed(let retryError, let original) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(retryError is Refusal)
        #expect((original as? SessionError)?.transportError?.code == .connectionLost)
    }

    @Test func `a serializer's error can lead to another attempt, of which every handler gets the outcome`()
        async throws
    {
        let count = Mutex(0)
        let server = try LocalTLSServer.plain { _ in
            .json(
                count.withLock {
                    $0 += 1; return $0
                } == 1 ? "broken" : "[1]"
            )
        }
        let marker = Marker("", [.retry])
        let session = Session(interceptor: marker)
        let request = session.request(server.url)
        async let data = request.serializingData().response
        let numbers = await request.serializingDecodable([Int].self).response
        #expect(numbers.value == [1])
        #expect(await data.text == "[1]")
    }

    @Test(arguments: [0, 1_000])
    func `a stream is attempted again only before a part of its body came`(_ sent: Int) async throws {
        let server = try LocalTLSServer.plain { _ in
            .init(body: Data(repeating: 1, count: 2_000), fault: sent == 0 ? .reset : .closeAfter(bytes: sent))
        }
        let marker = Marker("", [.retry])
        let session = Session(interceptor: marker)
        await #expect(throws: SessionError.self) {
            for try await _ in session.streamRequest(server.url).streamTask().streamingData() {}
        }
        #expect(server.log.requests.count == (sent == 0 ? 2 : 1))
    }

    @Test func `a request that waits for another attempt is cancelled at once`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.reset) }
        let marker = Marker("", [.retryWithDelay(1_000)])
        let session = Session(interceptor: marker)
        let request = session.request(server.url)
        let task = request.serializingData()
        _ = await server.waitUntil { $0.requests.count == 1 }
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
    }

    @Test func `the resource time-out bounds all attempts together`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.reset) }
        let marker = Marker("", [.retryWithDelay(1_000)])
        let session = Session(interceptor: marker)
        let response = await session.get(server.url, timeouts: Timeouts(resource: 0.3))
        #expect(response.error?.transportError?.code == .timedOut(.resource, after: 0.3))
    }

    @Test func `a session that goes ends requests that wait for another attempt`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.reset) }
        let marker = Marker("", [.retryWithDelay(1_000)])
        let holder = Holder(Session(interceptor: marker))
        let request = try #require(holder.session.withLock { $0 }).request(server.url)
        let error = await withCheckedContinuation { continuation in
            request.response { continuation.resume(returning: $0.error) }
            Task {
                try await eventually { marker.asked.withLock { $0.count } == 1 }
                holder.session.withLock { $0 = nil }
            }
        }
        guard case .sessionDeinitialized = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
