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

        var request: Request {
            switch self {
            case .data(let request): request
            case .download(let request): request
            }
        }
    }

    let transfer: Transfer
    /// What the plugins made of the first attempt.
    let prepared: URLRequest
    /// What they make of the others; nil where there can be none.
    let attempts: AttemptPreparation?
    /// It holds the session until the answer came: a session that goes ends its requests.
    let work: CallWork

    var sent: URLRequest { attempts?.sent ?? prepared }

    var isSeen: Bool { attempts?.isSeen ?? true }

    func start(_ answer: @escaping @Sendable (Result<Response, ProviderError>) -> Void) {
        observe(transfer.request)
        // So that a retrier hears of a status that is none for the target.
        if attempts != nil, let codes = work.target.validationType.codes {
            transfer.request.validate(statusCode: codes)
        }
        switch transfer {
        case .data(let request):
            request.response(queue: work.queue) { [self] outcome in
                let response = outcome.response.map { Self.response(outcome.request, $0, outcome.data ?? Data()) }
                answer(self.answer(response, outcome.error))
            }
        case .download(let request):
            request.response(queue: work.queue) { [self] outcome in
                let response = outcome.response.map { Self.response(outcome.request, $0, Data()) }
                answer(self.answer(response, outcome.error))
            }
        }
        // A session may be configured not to start requests by itself.
        transfer.request.resume()
    }

    func cancel() { transfer.request.cancel() }

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

    private func answer(_ response: Response?, _ error: SessionError?) -> Result<Response, ProviderError> {
        switch (error, response) {
        // The provider says so in its own words.
        case (let error?, let response?) where error.isRefusedStatus: .success(response)
        case (let error?, _): .failure(work.failure(error, response, sent: sent))
        case (nil, let response?): .success(response)
        case (nil, nil): .failure(.underlying(URLError(.badServerResponse), nil))
        }
    }
}
