internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession
internal import Synchronization

/// One request of a provider, from its endpoint to its completion.
final class ProviderCall: Cancellable {
    typealias Outcome = Result<Response, ProviderError>

    /// What the call needs of its provider.
    struct Context: Sendable {
        let session: Session
        let plugins: [any PluginType]
        let stub: StubBehavior
        let queue: DispatchQueue
        /// Whether a queue was asked for; without one an immediate stub calls back at once.
        let isQueueGiven: Bool

        var callsBackAtOnce: Bool { if case .immediate = stub { !isQueueGiven } else { false } }
    }

    private struct Guarded {
        var state = CallState()
        /// Ends the transfer; set while there is one.
        var exchange: (any ProviderExchange)?
        /// Taken by the one event that ends the request, so that nothing is kept for a token that outlives it.
        var completion: (@Sendable (Outcome) -> Void)?
    }

    private let guarded: Mutex<Guarded>
    private let target: any TargetType
    private let endpoint: Endpoint
    private let context: Context

    init(
        _ target: any TargetType,
        _ endpoint: Endpoint,
        _ context: Context,
        completion: @escaping @Sendable (Outcome) -> Void
    ) {
        self.target = target
        self.endpoint = endpoint
        self.context = context
        guarded = Mutex(Guarded(completion: completion))
    }

    var isCancelled: Bool { guarded.withLock { $0.state.isCancelled } }

    func cancel() {
        let (todo, exchange) = guarded.withLock { ($0.state.cancel(), $0.exchange) }
        switch todo {
        case .nothing: return
        case .end: context.queue.async { self.end(.failure(.cancelled), pluginsKnow: false) }
        case .abort:
            exchange?.cancel()
            context.queue.async { self.end(.failure(.cancelled), pluginsKnow: true) }
        }
    }

    /// The request closure has answered. Only its first answer counts.
    func mappingEnded(_ result: Result<URLRequest, ProviderError>) {
        switch result {
        case .success(let request):
            guard guarded.withLock({ $0.state.mapped() }) else { return }
            send(request)
        case .failure(let error):
            guard guarded.withLock({ $0.state.mappingFailed() }) else { return }
            deliver(.failure(error.naming(target)), pluginsKnow: false)
        }
    }

    /// The request closure will never answer.
    func mappingAbandoned() {
        guard guarded.withLock({ $0.state.mappingFailed() }) else { return }
        let reason = "\(target.nameInErrors): the request closure gave no request"
        deliver(.failure(.requestMapping(reason)), pluginsKnow: false)
    }

    private func send(_ request: URLRequest) {
        let request = context.plugins.reduce(request) { $1.prepare($0, target: target) }
        let prepared = PreparedRequest(
            request: request,
            configuredHeaders: context.session.configuration.headers,
            secretNames: Set(context.plugins.flatMap(\.secretHeaders).map { $0.lowercased() })
        )
        for plugin in context.plugins { plugin.willSend(prepared, target: target) }
        let exchange = exchange(for: request)
        let isWanted = guarded.withLock { guarded in
            guarded.exchange = exchange
            return guarded.state.prepared()
        }
        guard isWanted else { return deliver(.failure(.cancelled), pluginsKnow: true) }
        exchange.start { [self] result in
            guard guarded.withLock({ $0.state.answered() }) else { return }
            end(result.validated(by: target.validationType), pluginsKnow: true)
        }
    }

    private func exchange(for request: URLRequest) -> any ProviderExchange {
        let timing: StubExchange.Timing
        switch context.stub {
        case .never:
            return SessionExchange(
                request: context.session.request(request),
                session: context.session,
                queue: context.queue
            )
        case .immediate: timing = context.callsBackAtOnce ? .atOnce : .on(context.queue, after: 0)
        case .delayed(let seconds): timing = .on(context.queue, after: seconds)
        }
        return StubExchange(endpoint: endpoint, request: request, timing: timing)
    }

    private func deliver(_ outcome: Outcome, pluginsKnow: Bool) {
        guard !context.callsBackAtOnce else { return end(outcome, pluginsKnow: pluginsKnow) }
        context.queue.async { self.end(outcome, pluginsKnow: pluginsKnow) }
    }

    /// Tells plugins and caller. Called by the one event that ended the request, where the completion is to run.
    private func end(_ outcome: Outcome, pluginsKnow: Bool) {
        let completion = guarded.withLock { guarded in
            defer { (guarded.completion, guarded.exchange) = (nil, nil) }
            return guarded.completion
        }
        if pluginsKnow {
            for plugin in context.plugins { plugin.didReceive(outcome, target: target) }
        }
        completion?(context.plugins.reduce(outcome) { $1.process($0, target: target) })
    }
}

extension Result<Response, ProviderError> {
    /// The response, if its status code is a success.
    fileprivate func validated(by type: ValidationType) -> Self {
        guard case .success(let response) = self, !type.accepts(response.statusCode) else { return self }
        return .failure(.underlying(ProviderError.statusCode(response), response))
    }
}
