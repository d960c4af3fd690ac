public import Foundation
public import FoundationNetworking

/// What came of a download.
public struct DownloadResponse<Success: Sendable, Failure: Error>: Sendable {
    /// The last request that was sent, after redirects; nil when none could be made.
    public let request: URLRequest?
    let head: ResponseHead?
    let measured: MeasuredTransfer?
    /// Where the body is; nil when none came.
    public let fileURL: URL?
    /// What a later download can go on with; nil when there is nothing.
    public let resumeData: Data?
    /// How long making the value took, in seconds.
    public let serializationDuration: TimeInterval
    /// The value, or why there is none.
    public let result: Result<Success, Failure>

    /// The final response's status and fields; nil when none came. Made for the first who asks.
    public var response: HTTPURLResponse? { head?.response }

    /// The final response's status; nil when none came. It costs less than to ask ``response``.
    public var statusCode: Int? { head?.statusCode }

    /// The final response's fields in their order, repeated ones kept.
    public var headers: HTTPHeaders { head?.headers ?? [:] }

    /// What the transfer took; nil when there was none.
    public var metrics: RequestMetrics? { measured?.metrics }

    /// The value; nil on failure.
    public var value: Success? { try? result.get() }

    /// The error; nil on success.
    public var error: Failure? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// Makes a response.
    public init(
        request: URLRequest?,
        response: HTTPURLResponse?,
        headers: HTTPHeaders = [:],
        fileURL: URL?,
        resumeData: Data?,
        metrics: RequestMetrics? = nil,
        serializationDuration: TimeInterval = 0,
        result: Result<Success, Failure>
    ) {
        self.init(
            request: request,
            head: ResponseHead(response: response, headers: headers),
            fileURL: fileURL,
            resumeData: resumeData,
            measured: metrics.map { .made($0) },
            serializationDuration: serializationDuration,
            result: result
        )
    }

    init(
        request: URLRequest?,
        head: ResponseHead?,
        fileURL: URL?,
        resumeData: Data?,
        measured: MeasuredTransfer?,
        serializationDuration: TimeInterval,
        result: Result<Success, Failure>
    ) {
        self.request = request
        self.head = head
        self.fileURL = fileURL
        self.resumeData = resumeData
        self.measured = measured
        self.serializationDuration = serializationDuration
        self.result = result
    }

    private func with<NewSuccess, NewFailure>(
        _ result: Result<NewSuccess, NewFailure>
    ) -> DownloadResponse<NewSuccess, NewFailure> {
        DownloadResponse<NewSuccess, NewFailure>(
            request: request,
            head: head,
            fileURL: fileURL,
            resumeData: resumeData,
            measured: measured,
            serializationDuration: serializationDuration,
            result: result
        )
    }
}

extension DownloadResponse {
    /// The response with another value; a failure stays.
    public func map<NewSuccess: Sendable>(
        _ transform: (Success) -> NewSuccess
    ) -> DownloadResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// The response with another value, or with the error that making it threw; a failure stays.
    public func tryMap<NewSuccess: Sendable>(
        _ transform: (Success) throws -> NewSuccess
    ) -> DownloadResponse<NewSuccess, any Error> {
        with(result.tryMap(transform))
    }

    /// The response with another error; a success stays.
    public func mapError<NewFailure: Error>(
        _ transform: (Failure) -> NewFailure
    ) -> DownloadResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    /// The response with another error, or with the one that making it threw; a success stays.
    public func tryMapError<NewFailure: Error>(
        _ transform: (Failure) throws -> NewFailure
    ) -> DownloadResponse<Success, any Error> {
        with(result.tryMapError(transform))
    }
}

extension DownloadResponse: CustomStringConvertible, CustomReflectable {
    /// Request line, status, fields, the file and the error. Of the URL no user, password and query value is shown, and
    /// of credentials no value.
    public var description: String {
        let url = request?.url.map { Redaction.url($0.absoluteString) } ?? "without a URL"
        var lines = ["\(request?.httpMethod ?? "GET") \(url)"]
        if let statusCode { lines.append("status \(statusCode)") }
        lines += headers.map { "  \($0)" }
        if let fileURL { lines.append("file \(fileURL.path)") }
        if let resumeData { lines.append("\(resumeData.count) bytes of resume data") }
        if let error { lines.append("\(error)") }
        return lines.joined(separator: "\n")
    }

    /// What ``description`` shows, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
