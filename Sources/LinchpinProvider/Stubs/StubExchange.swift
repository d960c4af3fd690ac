internal import Dispatch
internal import FoundationNetworking
internal import Synchronization

/// A request that a sample answers; nothing of it touches the network.
final class StubExchange: ProviderExchange {
    let sent: URLRequest
    private let timing: Timing
    /// Makes what answers; called once.
    private let sample: @Sendable () throws -> EndpointSampleResponse
    /// Whom to tell. A stub that falls due in an hour keeps nothing of a request that was cancelled.
    private let answer = Mutex<(@Sendable (Result<Response, ProviderError>) -> Void)?>(nil)

    enum Timing {
        /// On the calling thread, before `start` returns.
        case atOnce
        case on(DispatchQueue, after: Double)
    }

    init(request: URLRequest, timing: Timing, sample: @escaping @Sendable () throws -> EndpointSampleResponse) {
        sent = request
        self.timing = timing
        self.sample = sample
    }

    var isSeen: Bool { true }

    func start(_ answer: @escaping @Sendable (Result<Response, ProviderError>) -> Void) {
        switch timing {
        case .atOnce: answer(result)
        case .on(let queue, let seconds) where seconds > 0:
            self.answer.withLock { $0 = answer }
            queue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.fallDue() }
        case .on(let queue, _): queue.async { answer(self.result) }
        }
    }

    func cancel() { _ = take() }

    private func fallDue() { take()?(result) }

    private func take() -> (@Sendable (Result<Response, ProviderError>) -> Void)? {
        answer.withLock { answer in
            defer { answer = nil }
            return answer
        }
    }

    private var result: Result<Response, ProviderError> {
        do {
            switch try sample() {
            case .networkResponse(let statusCode, let data):
                return .success(Response(statusCode: statusCode, data: data, request: sent))
            case .response(let response, let data):
                return .success(
                    Response(statusCode: response.statusCode, data: data, request: sent, response: response)
                )
            case .networkError(let error): return .failure(.underlying(error, nil))
            }
        } catch {
            return .failure(error as? ProviderError ?? .underlying(error, nil))
        }
    }
}
