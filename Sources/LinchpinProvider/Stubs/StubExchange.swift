internal import Dispatch
internal import FoundationNetworking

/// A request that a sample answers; nothing of it touches the network.
struct StubExchange: ProviderExchange {
    let request: URLRequest
    let timing: Timing
    /// Makes what answers; called once.
    let sample: @Sendable () throws -> EndpointSampleResponse

    enum Timing {
        /// On the calling thread, before `start` returns.
        case atOnce
        case on(DispatchQueue, after: Double)
    }

    func start(_ answer: @escaping @Sendable (Result<Response, ProviderError>) -> Void) {
        switch timing {
        case .atOnce: answer(result)
        case .on(let queue, let seconds) where seconds > 0:
            queue.asyncAfter(deadline: .now() + seconds) { answer(result) }
        case .on(let queue, _): queue.async { answer(result) }
        }
    }

    func cancel() {}

    private var result: Result<Response, ProviderError> {
        do {
            switch try sample() {
            case .networkResponse(let statusCode, let data):
                return .success(Response(statusCode: statusCode, data: data, request: request))
            case .response(let response, let data):
                return .success(
                    Response(statusCode: response.statusCode, data: data, request: request, response: response)
                )
            case .networkError(let error): return .failure(.underlying(error, nil))
            }
        } catch {
            return .failure(error as? ProviderError ?? .underlying(error, nil))
        }
    }
}
