internal import Foundation
internal import FoundationNetworking

/// How an exchange ended, before anything was made of its body.
struct ExchangeOutcome: Sendable {
    /// The last request that was sent, or would have been.
    var request: URLRequest?
    /// The final response; nil when none came.
    var head: ResponseHead?
    /// The body, where it is kept in memory.
    var data: Data?
    /// The body, where it went to a file.
    var fileURL: URL?
    /// What a download that failed has left.
    var partialDownload: PartialDownload?
    var error: SessionError?

    init(request: URLRequest? = nil, head: ResponseHead? = nil, error: SessionError? = nil) {
        self.request = request
        self.head = head
        self.error = error
    }

    var response: HTTPURLResponse? { head?.response }
    var headers: HTTPHeaders { head?.headers ?? [:] }

    /// The response with the value that `serialize` makes of the body, where the exchange itself did not fail.
    func response<Value>(
        _ serialize: (Data?) throws(SessionError) -> Value
    ) -> DataResponse<Value, SessionError> {
        let result: Result<Value, SessionError>
        if let error {
            result = .failure(error)
        } else {
            result = Result { () throws(SessionError) in try serialize(data) }
        }
        return DataResponse(request: request, response: response, headers: headers, data: data, result: result)
    }

    /// The response of a download with the value that `serialize` makes of its file, where the exchange itself did not
    /// fail.
    func download<Value>(
        _ serialize: (URL) throws(SessionError) -> Value
    ) -> DownloadResponse<Value, SessionError> {
        let result: Result<Value, SessionError>
        if let error {
            result = .failure(error)
        } else {
            result = Result { () throws(SessionError) in
                guard let fileURL else { throw .responseSerializationFailed(reason: .inputFileNil) }
                return try serialize(fileURL)
            }
        }
        return DownloadResponse(
            request: request,
            response: response,
            headers: headers,
            fileURL: fileURL,
            resumeData: partialDownload?.resumeData,
            result: result
        )
    }
}
