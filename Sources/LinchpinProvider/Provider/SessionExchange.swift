internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// A request that goes over the network.
struct SessionExchange: ProviderExchange {
    /// What the response's body becomes.
    enum Transfer {
        case data(DataRequest)
        case download(DownloadRequest)
    }

    let request: Transfer
    /// It holds the session until the answer came: a session that goes ends its requests.
    let work: CallWork

    func start(_ answer: @escaping @Sendable (Result<Response, ProviderError>) -> Void) {
        switch request {
        case .data(let request):
            observe(request)
            request.response(queue: work.queue) { [work] outcome in
                let response = outcome.response.map { Self.response(outcome.request, $0, outcome.data ?? Data()) }
                answer(Self.answer(response, outcome.error, work))
            }
            // A session may be configured not to start requests by itself.
            request.resume()
        case .download(let request):
            observe(request)
            request.response(queue: work.queue) { [work] outcome in
                let response = outcome.response.map { Self.response(outcome.request, $0, Data()) }
                answer(Self.answer(response, outcome.error, work))
            }
            request.resume()
        }
    }

    func cancel() {
        switch request {
        case .data(let request): request.cancel()
        case .download(let request): request.cancel()
        }
    }

    private func observe(_ request: Request) {
        guard work.receiver.wantsProgress else { return }
        let tell: @Sendable (TransferProgress) -> Void = { [receiver = work.receiver] in receiver.progressed($0) }
        if request is UploadRequest {
            request.uploadProgress(queue: work.queue, closure: tell)
        } else {
            request.downloadProgress(queue: work.queue, closure: tell)
        }
    }

    private static func response(_ request: URLRequest?, _ response: HTTPURLResponse, _ data: Data) -> Response {
        Response(statusCode: response.statusCode, data: data, request: request, response: response)
    }

    private static func answer(
        _ response: Response?,
        _ error: SessionError?,
        _ work: CallWork
    ) -> Result<Response, ProviderError> {
        switch (error, response) {
        case (let error?, _): .failure(ProviderError.underlying(error, response).naming(work.target))
        case (nil, let response?): .success(response)
        case (nil, nil): .failure(.underlying(URLError(.badServerResponse), nil))
        }
    }
}
