public import Foundation
public import FoundationNetworking

/// What came of a request.
public struct DataResponse<Success: Sendable, Failure: Error>: Sendable {
    /// The last request that was sent, after redirects; nil when none could be made.
    public let request: URLRequest?
    /// The final response's status and fields; nil when none came.
    public let response: HTTPURLResponse?
    /// The final response's fields in their order, repeated ones kept.
    public let headers: HTTPHeaders
    /// The final response's body; nil when none came.
    public let data: Data?
    /// The value, or why there is none.
    public let result: Result<Success, Failure>

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
        result: Result<Success, Failure>
    ) {
        self.request = request
        self.response = response
        self.headers = headers
        self.data = data
        self.result = result
    }
}

extension DataResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status, size and outcome; neither the request's fields nor the body, which may be secret.
    public var description: String {
        let status = response.map { "status \($0.statusCode)" } ?? "no response"
        let outcome = error.map { "failure: \($0)" } ?? "success"
        return "\(status), \(data?.count ?? 0) bytes, \(outcome)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// No children: `dump` shows no more than ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
