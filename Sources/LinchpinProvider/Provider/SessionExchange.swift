internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// A request that goes over the network.
struct SessionExchange: ProviderExchange {
    let request: DataRequest
    /// Kept until the answer came: a session that goes ends its requests.
    let session: Session
    let queue: DispatchQueue

    func start(_ answer: @escaping @Sendable (Result<Response, ProviderError>) -> Void) {
        request.response(queue: queue) { [session] in
            answer(Self.result(of: $0))
            withExtendedLifetime(session) {}
        }
        // A session may be configured not to start requests by itself.
        request.resume()
    }

    func cancel() { request.cancel() }

    private static func result(of outcome: DataResponse<Data?, SessionError>) -> Result<Response, ProviderError> {
        let response = outcome.response.map {
            Response(
                statusCode: $0.statusCode,
                data: outcome.data ?? Data(),
                request: outcome.request,
                response: $0
            )
        }
        switch (outcome.result, response) {
        case (.failure(let error), _): return .failure(.underlying(error, response))
        case (.success, let response?): return .success(response)
        case (.success, nil): return .failure(.underlying(URLError(.badServerResponse), nil))
        }
    }
}
