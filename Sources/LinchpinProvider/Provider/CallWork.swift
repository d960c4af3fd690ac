internal import Dispatch
internal import FoundationNetworking
internal import LinchpinSession

/// What a provider's request is made of and whom its end is told. The event that ends the request takes it, so that
/// a token which outlives the request keeps nothing of it.
struct CallWork: Sendable {
    typealias Outcome = Result<Response, ProviderError>

    let target: any TargetType
    let endpoint: Endpoint
    let session: Session
    let plugins: [any PluginType]
    let stub: StubBehavior
    /// Where the completion is called.
    let queue: DispatchQueue
    /// Whether that queue was asked for; without one an immediate stub calls back at once.
    let isQueueGiven: Bool
    let completion: @Sendable (Outcome) -> Void

    /// The request as the plugins make it; each of them has then seen it.
    ///
    /// - Throws: ``ProviderError`` when a plugin has a field that cannot be sent; none of them has then seen it.
    func prepare(_ request: URLRequest) throws(ProviderError) -> URLRequest {
        var request = request
        for plugin in plugins {
            guard let supplier = plugin as? any HeaderSupplying else {
                request = plugin.prepare(request, target: target)
                continue
            }
            do throws(SessionError) {
                request = try supplier.fill(request, target: target)
            } catch {
                throw ProviderError.underlying(error, nil).naming(target)
            }
        }
        let prepared = PreparedRequest(
            request: request,
            configuredHeaders: session.configuration.headers,
            secretNames: Set(plugins.flatMap(\.secretHeaders).map { $0.lowercased() })
        )
        for plugin in plugins { plugin.willSend(prepared, target: target) }
        return request
    }

    /// What answers the request; not begun.
    func exchange(for request: URLRequest) -> any ProviderExchange {
        let timing: StubExchange.Timing
        switch stub {
        case .never:
            return SessionExchange(request: session.request(request), session: session, queue: queue)
        case .immediate: timing = callsBackAtOnce ? .atOnce : .on(queue, after: 0)
        case .delayed(let seconds): timing = .on(queue, after: seconds)
        }
        return StubExchange(endpoint: endpoint, request: request, timing: timing)
    }

    /// Ends with an outcome that is not an answer, on the callback queue.
    func deliver(_ outcome: Outcome, pluginsKnow: Bool) {
        guard !callsBackAtOnce else { return finish(outcome, pluginsKnow: pluginsKnow) }
        queue.async { self.finish(outcome, pluginsKnow: pluginsKnow) }
    }

    /// Ends on the calling thread.
    ///
    /// - Parameters:
    ///   - pluginsKnow: whether they have seen the request being sent, and so see its end.
    func finish(_ outcome: Outcome, pluginsKnow: Bool) {
        if pluginsKnow {
            for plugin in plugins { plugin.didReceive(outcome, target: target) }
        }
        completion(plugins.reduce(outcome) { $1.process($0, target: target) })
    }

    private var callsBackAtOnce: Bool { if case .immediate = stub { !isQueueGiven } else { false } }
}
