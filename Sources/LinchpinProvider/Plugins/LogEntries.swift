internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// The entries of one request or response in a log.
struct LogEntries {
    private let configuration: NetworkLoggerPlugin.Configuration
    private let target: any TargetType

    init(_ configuration: NetworkLoggerPlugin.Configuration, _ target: any TargetType) {
        self.configuration = configuration
        self.target = target
    }

    func entries(for request: any RequestType) -> [String] {
        guard let urlRequest = request.request else { return [entry("Request", "(invalid request)")] }
        let options = configuration.logOptions
        let line = "\(urlRequest.httpMethod ?? "GET") \(url(urlRequest.url))"
        let headers = configuration.secrets == nil ? request.sentHeaders : shown(request.redactedHeaders)
        let body = urlRequest.httpBody.map { shown($0, headers["Content-Type"]) }
        if options.contains(.formatRequestAscURL) {
            return [entry("Request", commandLine(urlRequest, headers, body))]
        }
        var entries = [entry("Request", line)]
        if options.contains(.requestHeaders) {
            entries.append(entry("Request Headers", headers.map { "\($0.name): \($0.value)" }.joined(separator: ", ")))
        }
        if options.contains(.requestBody), let body {
            entries.append(entry("Request Body", configuration.formatter.requestData(body)))
        }
        return options.contains(.requestMethod) ? entries : Array(entries.dropFirst())
    }

    func entries(for result: Result<Response, ProviderError>) -> [String] {
        guard let response = result.response else {
            guard case .failure(let error) = result else { return [] }
            return [entry("Error", "\(error)")]
        }
        var isSuccess = false
        if case .success = result { isSuccess = true }
        var entries = [entry("Response", "\(response.statusCode) \(url(response.request?.url))")]
        let wanted = isSuccess ? NetworkLoggerPlugin.LogOptions.successResponseBody : .errorResponseBody
        if configuration.logOptions.contains(wanted) {
            let type = response.response?.value(forHTTPHeaderField: "Content-Type")
            entries.append(
                entry("Response Body", configuration.formatter.responseData(shown(response.data, type)))
            )
        }
        return entries
    }

    private func entry(_ identifier: String, _ message: String) -> String {
        configuration.formatter.entry(identifier, message, target)
    }

    private func url(_ url: URL?) -> String {
        guard let url else { return "" }
        return configuration.secrets?.url(url) ?? url.absoluteString
    }

    private func shown(_ headers: HTTPHeaders) -> HTTPHeaders {
        let names = Set((configuration.secrets?.headers ?? []).map { $0.lowercased() })
        return Redaction.headers(headers, secretNames: names)
    }

    private func shown(_ body: Data, _ contentType: String?) -> Data {
        configuration.secrets?.body(body, type: contentType) ?? body
    }

    /// A command line that a shell takes as it is.
    private func commandLine(_ request: URLRequest, _ headers: HTTPHeaders, _ body: Data?) -> String {
        func quoted(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: #"'\''"#) + "'" }
        let method = request.httpMethod ?? "GET"
        // A token may have characters in it that a shell acts on.
        let isWord = method.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        var parts = ["$ curl -v", "-X \(isWord ? method : quoted(method))"]
        parts += headers.map { "-H " + quoted("\($0.name): \($0.value)") }
        if let body { parts.append("--data-raw " + quoted(configuration.formatter.requestData(body))) }
        parts.append(quoted(url(request.url)))
        return parts.joined(separator: " \\\n\t")
    }
}
