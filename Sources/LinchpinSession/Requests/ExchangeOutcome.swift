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
    /// What the transfer took; nil when there was none.
    var measured: MeasuredTransfer?
    var error: SessionError?

    init(request: URLRequest? = nil, head: ResponseHead? = nil, error: SessionError? = nil) {
        self.request = request
        self.head = head
        self.error = error
    }

    var response: HTTPURLResponse? { head?.response }
    var headers: HTTPHeaders { head?.headers ?? [:] }
    var metrics: RequestMetrics? { measured?.metrics }

    /// Whether whoever is told of the other one knows of this one's files.
    func holdsSameFiles(as other: ExchangeOutcome) -> Bool {
        fileURL == other.fileURL && partialDownload?.path == other.partialDownload?.path
    }
}

extension ExchangeOutcome {
    /// The response with what the serializer makes of the body.
    func response<Serializer: DataResponseSerializerProtocol>(
        _ serializer: Serializer
    ) -> DataResponse<Serializer.SerializedObject, SessionError> {
        response {
            // Where there is a body, and nothing else counts, no response is made of what libcurl read.
            let isBodyEnough = serializer is any BodySerializer && error == nil && data?.isEmpty == false
            return serializer.result(
                request: request,
                response: isBodyEnough ? nil : response,
                data: data,
                error: error
            )
        }
    }

    /// The response with its body as it came.
    func rawResponse() -> DataResponse<Data?, SessionError> {
        response { error.map { .failure($0) } ?? .success(data) }
    }

    private func response<Value>(
        _ serialize: () -> Result<Value, SessionError>
    ) -> DataResponse<Value, SessionError> {
        let start = Poller.now()
        let result = serialize()
        return DataResponse(
            request: request,
            head: head,
            data: data,
            measured: measured,
            serializationDuration: Double(Poller.now() - start) / 1e9,
            result: result
        )
    }

    /// The response of a download with what the serializer makes of its file.
    func download<Serializer: DownloadResponseSerializerProtocol>(
        _ serializer: Serializer
    ) -> DownloadResponse<Serializer.SerializedObject, SessionError> {
        download { serializer.result(request: request, response: response, fileURL: fileURL, error: error) }
    }

    /// The response of a download with the place of its file.
    func rawDownload() -> DownloadResponse<URL?, SessionError> {
        download { error.map { .failure($0) } ?? .success(fileURL) }
    }

    private func download<Value>(
        _ serialize: () -> Result<Value, SessionError>
    ) -> DownloadResponse<Value, SessionError> {
        let start = Poller.now()
        let result = serialize()
        return DownloadResponse(
            request: request,
            head: head,
            fileURL: fileURL,
            resumeData: partialDownload?.resumeData,
            measured: measured,
            serializationDuration: Double(Poller.now() - start) / 1e9,
            result: result
        )
    }
}
