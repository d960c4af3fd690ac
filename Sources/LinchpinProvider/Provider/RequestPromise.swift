internal import FoundationNetworking

/// A request closure's duty to answer. When it lets go of its callback without an answer, the call ends with an error
/// instead of never.
final class RequestPromise: Sendable {
    private let call: ProviderCall

    init(for call: ProviderCall) { self.call = call }

    deinit { call.mappingAbandoned() }

    func keep(_ result: Result<URLRequest, ProviderError>) { call.mappingEnded(result) }
}
