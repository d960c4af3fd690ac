public import Foundation
public import FoundationNetworking

/// What came of a download.
public struct DownloadResponse<Success: Sendable, Failure: Error>: Sendable {
    /// The last request that was sent, after redirects; nil when none could be made.
    public let request: URLRequest?
    /// The final response's status and fields; nil when none came.
    public let response: HTTPURLResponse?
    /// The final response's fields in their order, repeated ones kept.
    public let headers: HTTPHeaders
    /// The file with the body; nil when none is whole.
    public let fileURL: URL?
    /// With what the rest can be fetched later; nil when nothing is missing, or cannot be had so.
    public let resumeData: Data?
    /// The value, or why there is none.
    public let result: Result<Success, Failure>

    /// Makes a response.
    public init(
        request: URLRequest?,
        response: HTTPURLResponse?,
        headers: HTTPHeaders = [:],
        fileURL: URL?,
        resumeData: Data?,
        result: Result<Success, Failure>
    ) {
        self.request = request
        self.response = response
        self.headers = headers
        self.fileURL = fileURL
        self.resumeData = resumeData
        self.result = result
    }

    /// The value; nil on failure.
    public var value: Success? { try? result.get() }

    /// The error; nil on success.
    public var error: Failure? {
        if case .failure(let error) = result { error } else { nil }
    }
}

extension DownloadResponse: CustomStringConvertible, CustomReflectable {
    /// Request line, status, fields, the file and the error. Of the URL no user, password and query value is shown, of
    /// credentials no value.
    public var description: String {
        let url = request?.url.map { Redaction.url($0.absoluteString) } ?? "without a URL"
        var lines = ["\(request?.httpMethod ?? "GET") \(url)"]
        if let response { lines.append("status \(response.statusCode)") }
        lines += headers.map { "  \($0)" }
        if let fileURL { lines.append("in \(fileURL.path)") }
        if let error { lines.append("\(error)") }
        return lines.joined(separator: "\n")
    }

    /// What ``description`` shows, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
