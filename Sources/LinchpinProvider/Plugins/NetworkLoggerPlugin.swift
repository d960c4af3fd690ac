public import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// Writes requests and responses to a log, without their secrets unless they are asked for.
///
/// ```swift
/// NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))
/// ```
public struct NetworkLoggerPlugin: PluginType {
    /// What is logged, how and where.
    public let configuration: Configuration

    /// Makes a plugin.
    public init(configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// Logs a request.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        configuration.output(target, LogEntries(configuration, target).entries(for: request))
    }

    /// Logs a response, or why there is none.
    public func didReceive(_ result: Result<Response, ProviderError>, target: any TargetType) {
        configuration.output(target, LogEntries(configuration, target).entries(for: result))
    }
}

extension NetworkLoggerPlugin {
    /// What is logged, how and where.
    public struct Configuration: Sendable {
        /// Takes the entries of one request or one response; called on the thread where it is seen.
        public typealias OutputType = @Sendable (_ target: any TargetType, _ items: [String]) -> Void

        /// Makes text of what is logged.
        public var formatter: Formatter
        /// Takes the entries; prints them by default.
        public var output: OutputType
        /// What is logged; method and fields of requests by default.
        public var logOptions: LogOptions
        /// What is left out. Nil shows everything, tokens and passwords too.
        public var secrets: SecretRules?

        /// Makes a configuration.
        @preconcurrency
        public init(
            formatter: Formatter = Formatter(),
            output: @escaping OutputType = { _, items in for item in items { print(item) } },
            logOptions: LogOptions = .default,
            secrets: SecretRules? = SecretRules()
        ) {
            self.formatter = formatter
            self.output = output
            self.logOptions = logOptions
            self.secrets = secrets
        }
    }

    /// What is logged.
    public struct LogOptions: OptionSet, Sendable {
        /// One bit for each option.
        public let rawValue: Int

        /// Makes options of their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Method and URL of requests.
        public static let requestMethod = LogOptions(rawValue: 1 << 0)
        /// Bodies of requests.
        public static let requestBody = LogOptions(rawValue: 1 << 1)
        /// Fields of requests.
        public static let requestHeaders = LogOptions(rawValue: 1 << 2)
        /// Requests as a command line of curl, in the place of the three above.
        public static let formatRequestAscURL = LogOptions(rawValue: 1 << 3)
        /// Bodies of successful responses.
        public static let successResponseBody = LogOptions(rawValue: 1 << 4)
        /// Bodies of responses that are errors: those that validation refuses.
        public static let errorResponseBody = LogOptions(rawValue: 1 << 5)

        /// Method and fields.
        public static let `default`: LogOptions = [.requestMethod, .requestHeaders]
        /// Everything, but not as a command line.
        public static let verbose: LogOptions = [
            .requestMethod, .requestHeaders, .requestBody, .successResponseBody, .errorResponseBody,
        ]
    }

    /// Makes text of what is logged.
    public struct Formatter: Sendable {
        /// Makes an entry of what it is about and its text.
        public typealias EntryFormatter =
            @Sendable (_ identifier: String, _ message: String, _ target: any TargetType) -> String
        /// Makes text of a body.
        public typealias DataFormatter = @Sendable (Data) -> String

        /// Makes an entry.
        public var entry: EntryFormatter
        /// Makes text of a request's body.
        public var requestData: DataFormatter
        /// Makes text of a response's body.
        public var responseData: DataFormatter

        /// Makes a formatter. By default an entry is `Linchpin: [time] identifier: message`, and a body that is no UTF-8
        /// is its length.
        @preconcurrency
        public init(
            entry: @escaping EntryFormatter = { identifier, message, _ in
                "Linchpin: [\(Date().formatted(.iso8601))] \(identifier): \(message)"
            },
            requestData: @escaping DataFormatter = { Formatter.text(of: $0) },
            responseData: @escaping DataFormatter = { Formatter.text(of: $0) }
        ) {
            self.entry = entry
            self.requestData = requestData
            self.responseData = responseData
        }

        /// The text of a body; its length, if it is no UTF-8.
        public static func text(of data: Data) -> String {
            String(data: data, encoding: .utf8) ?? "\(data.count) bytes"
        }
    }
}
