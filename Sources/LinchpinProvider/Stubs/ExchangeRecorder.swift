public import Foundation
internal import FoundationNetworking
internal import Synchronization

/// A plugin that writes every exchange of a provider to a file of its own, without its secrets, for a
/// ``ReplaySource``.
///
/// Responses are recorded whatever their status; a request without a response is not. A body that went to a file, or was
/// read as a stream, is not in the recording. Files are numbered in the order in which the responses came, and only their
/// owner may read them; no file that is there is ever written to.
public final class ExchangeRecorder: PluginType {
    /// Where the files are.
    public let directory: URL
    /// What is not written down.
    public let secrets: SecretRules
    private let state = Mutex(State())

    private struct State {
        var count: Int = 0
        var failures: [any Error] = []
    }

    /// Makes a recorder, and its directory where there is none. Recordings that are there are kept.
    ///
    /// - Parameters:
    ///   - directory: where the files go.
    ///   - secrets: what is not written down.
    /// - Throws: what Foundation throws for a directory that cannot be made or read.
    public init(directory: URL, secrets: SecretRules = SecretRules()) throws {
        self.directory = directory
        self.secrets = secrets
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let last =
            try Self.recordings(in: directory).compactMap { Int($0.deletingPathExtension().lastPathComponent) }
            .max() ?? 0
        state.withLock { $0.count = last }
    }

    /// Why exchanges could not be written.
    public var failures: [any Error] { state.withLock { $0.failures } }

    /// Writes the response down, with its own request. A provider hands over the request that was sent first.
    public func didReceive(_ result: Result<Response, ProviderError>, target: any TargetType) {
        if let response = result.response, let request = response.request { write(response, to: request) }
    }

    private func write(_ response: Response, to request: URLRequest) {
        guard let exchange = RecordedExchange(request, response, hiding: secrets) else { return }
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let text = try encoder.encode(exchange)
            // Another recorder may have taken the number meanwhile.
            while try !RecordingFile(nextFile).write(text) {}
        } catch {
            state.withLock { $0.failures.append(error) }
        }
    }

    private var nextFile: URL {
        let number = state.withLock { state in
            state.count += 1
            return "\(state.count)"
        }
        let name = String(repeating: "0", count: max(6 - number.count, 0)) + number + ".json"
        return directory.appendingPathComponent(name)
    }

    /// The recordings of a directory, in their order.
    static func recordings(in directory: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}

extension ExchangeRecorder: ExchangeObserving {
    func received(_ result: Result<Response, ProviderError>, to request: URLRequest, target: any TargetType) {
        if let response = result.response { write(response, to: request) }
    }
}

extension Result<Response, ProviderError> {
    /// The response, also of a failure.
    var response: Response? {
        switch self {
        case .success(let response): response
        case .failure(let error): error.response
        }
    }
}
