public import Foundation
public import FoundationNetworking
internal import Synchronization

/// Answers the requests of a provider with what an ``ExchangeRecorder`` wrote.
///
/// A recording answers requests with the same method and the same URL, as far as the rules show it. Several of the same
/// answer in their order, the last one again and again. Safe to use from any thread.
public final class ReplaySource: ResponseSource {
    /// A request that no recording answers.
    public struct Unanswered: Error, Sendable {
        /// The method, and the URL without its secrets.
        public let request: String
    }

    private let secrets: SecretRules
    private let answers: Mutex<[String: [RecordedExchange]]>

    /// Reads every recording of a directory.
    ///
    /// - Parameters:
    ///   - directory: where the files are.
    ///   - secrets: the rules of the recording.
    /// - Throws: what Foundation throws for a file that cannot be read, or is no recording.
    public init(directory: URL, secrets: SecretRules = SecretRules()) throws {
        self.secrets = secrets
        var answers: [String: [RecordedExchange]] = [:]
        for file in try ExchangeRecorder.recordings(in: directory) {
            let exchange = try JSONDecoder().decode(RecordedExchange.self, from: Data(contentsOf: file))
            answers["\(exchange.request.method) \(exchange.request.url)", default: []].append(exchange)
        }
        self.answers = Mutex(answers)
    }

    /// What was answered.
    ///
    /// - Throws: ``Unanswered`` when no recording fits.
    public func response(to request: URLRequest) throws -> EndpointSampleResponse {
        guard let url = request.url else { throw Unanswered(request: request.httpMethod ?? "GET") }
        let key = "\(request.httpMethod ?? "GET") \(secrets.url(url))"
        let exchange = answers.withLock { answers -> RecordedExchange? in
            guard let first = answers[key]?.first else { return nil }
            if answers[key, default: []].count > 1 { answers[key]?.removeFirst() }
            return first
        }
        guard let exchange else { throw Unanswered(request: key) }
        return exchange.sample(for: url)
    }
}

extension ReplaySource.Unanswered: CustomStringConvertible, LocalizedError {
    /// Which request was not recorded.
    public var description: String { "no recording answers \(request)" }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
