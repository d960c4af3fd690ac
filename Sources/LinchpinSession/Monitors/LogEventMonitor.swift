public import Dispatch
internal import Foundation
public import FoundationNetworking

/// Writes what requests do, a line each, without secrets.
///
/// Of URLs no user, password and query value is shown, of credentials no value, and of bodies nothing.
///
/// ```swift
/// let session = Session(eventMonitors: [LogEventMonitor { print($0) }])
/// ```
public struct LogEventMonitor: EventMonitor {
    /// Where the output is called.
    public let queue = DispatchQueue(label: "linchpin.session.log")
    private let secretHeaders: Set<String>
    private let output: @Sendable (String) -> Void

    /// Makes a monitor.
    ///
    /// - Parameters:
    ///   - secretHeaders: the names of more fields whose values are not shown, in any case.
    ///   - output: gets each line, one after the other, without a line break at its end.
    public init(secretHeaders: Set<String> = [], output: @escaping @Sendable (String) -> Void) {
        self.secretHeaders = Set(secretHeaders.map { $0.lowercased() })
        self.output = output
    }

    private func log(_ request: Request, _ text: String) {
        // A line break within would look like another line of the log's.
        let line = String(text.map { $0.isNewline ? " " : $0 })
        output("[\(request.id.uuidString.prefix(8))] \(line)")
    }

    private func shown(_ request: URLRequest) -> String {
        "\(request.httpMethod ?? "GET") \(Redaction.url(request.url?.absoluteString ?? "without a URL"))"
    }

    private func shown(_ fields: [String: String]) -> String {
        let headers = Redaction.headers(HTTPHeaders(fields), secretNames: secretHeaders)
        return headers.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
    }

    private func shown(_ response: HTTPURLResponse) -> String {
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields { fields["\(name)"] = "\(value)" }
        return "\(response.statusCode) {\(shown(fields))}"
    }

    /// Logs the request line and the fields.
    public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
        log(request, "sends \(shown(urlRequest)) {\(shown(urlRequest.allHTTPHeaderFields ?? [:]))}")
    }

    /// Logs the redirect and where it leads.
    public func request(_ request: Request, willBeRedirectedTo next: URLRequest, for response: HTTPURLResponse) {
        log(request, "is redirected by \(shown(response)) to \(shown(next))")
    }

    /// Logs the status and the fields.
    public func request(_ request: Request, didReceiveResponse response: HTTPURLResponse) {
        log(request, "receives \(shown(response))")
    }

    /// Logs an attempt's error.
    public func request(_ request: Request, didCompleteAttempt number: Int, with error: SessionError?) {
        if let error { log(request, "fails in attempt \(number + 1): \(error)") }
    }

    /// Logs that a response was not accepted.
    public func request(
        _ request: Request,
        didValidateResponse response: HTTPURLResponse,
        withError error: SessionError?
    ) {
        if let error { log(request, "does not accept \(response.statusCode): \(error)") }
    }

    /// Logs that another attempt is due.
    public func requestIsRetrying(_ request: Request) { log(request, "is tried again") }

    /// Logs the cancellation.
    public func requestDidCancel(_ request: Request) { log(request, "is cancelled") }

    /// Logs how the request ended.
    public func requestDidFinish(_ request: Request) {
        let status = request.response.map { " with \($0.statusCode)" } ?? ""
        log(request, request.error.map { "ends\(status) and an error: \($0)" } ?? "ends\(status)")
    }
}
