public import Foundation
public import FoundationNetworking

/// What came of a request.
public struct DataResponse<Success: Sendable, Failure: Error>: Sendable {
    /// The last request that was sent, after redirects; nil when none could be made.
    public let request: URLRequest?
    let head: ResponseHead?
    let measured: MeasuredTransfer?
    /// The final response's body; nil when none came.
    public let data: Data?
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
        data: Data?,
        metrics: RequestMetrics? = nil,
        serializationDuration: TimeInterval = 0,
        result: Result<Success, Failure>
    ) {
        self.init(
            request: request,
            head: ResponseHead(response: response, headers: headers),
            data: data,
            measured: metrics.map { .made($0) },
            serializationDuration: serializationDuration,
            result: result
        )
    }

    init(
        request: URLRequest?,
        head: ResponseHead?,
        data: Data?,
        measured: MeasuredTransfer?,
        serializationDuration: TimeInterval,
        result: Result<Success, Failure>
    ) {
        self.request = request
        self.head = head
        self.data = data
        self.measured = measured
        self.serializationDuration = serializationDuration
        self.result = result
    }
}

extension DataResponse: CustomStringConvertible, CustomReflectable {
    /// Request line, status, fields, the body's size and the error. Of the URL no user, password and query value is
    /// shown, of credentials no value, and of the body nothing.
    public var description: String {
        let url = request?.url.map { Redaction.url($0.absoluteString) } ?? "without a URL"
        var lines = ["\(request?.httpMethod ?? "GET") \(url)"]
        if let statusCode { lines.append("status \(statusCode)") }
        lines += headers.map { "  \($0)" }
        if let data { lines.append("\(data.count) bytes") }
        if let error { lines.append("\(error)") }
        return lines.joined(separator: "\n")
    }

    /// What ``description`` shows, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
