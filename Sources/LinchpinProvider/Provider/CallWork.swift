internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// What a provider's request is made of and whom its end is told. The event that ends the request takes it, so that
/// a token which outlives the request keeps nothing of it.
final class CallWork: Sendable {
    typealias Outcome = Result<Response, ProviderError>

    /// Tells this request from others; the same however often it is sent.
    let identity: CallIdentity
    let target: any TargetType
    let endpoint: Endpoint
    let session: Session
    let plugins: [any PluginType]
    let stub: StubBehavior
    /// What answers in the session's place.
    let source: (any ResponseSource)?
    /// Where the request ends.
    let queue: DispatchQueue
    /// Whether that queue was asked for; without one an immediate stub calls back at once.
    let isQueueGiven: Bool
    let receiver: any CallReceiver
    /// Whether the request may be sent once more: not if a refresh makes it, which would wait for itself.
    let mayBeReplayed = !TokenRefreshPlugin.isRefreshing

    init(
        target: any TargetType,
        endpoint: Endpoint,
        session: Session,
        plugins: [any PluginType],
        stub: StubBehavior,
        source: (any ResponseSource)?,
        queue: DispatchQueue,
        isQueueGiven: Bool,
        receiver: any CallReceiver
    ) {
        identity = CallIdentity(hasBodyOutsideRequest: endpoint.task.hasBodyOutsideRequest)
        self.target = target
        self.endpoint = endpoint
        self.session = session
        self.plugins = plugins
        self.stub = stub
        self.source = source
        self.queue = queue
        self.isQueueGiven = isQueueGiven
        self.receiver = receiver
    }

    /// The request as the plugins make it; each of them has then seen it.
    ///
    /// - Throws: ``ProviderError`` when a plugin has a field that cannot be sent; none of them has then seen it.
    func prepare(_ request: URLRequest) throws(ProviderError) -> Prepared {
        var request = request
        for plugin in plugins {
            guard let preparer = plugin as? any CallPreparing else {
                request = plugin.prepare(request, target: target)
                continue
            }
            do throws(SessionError) {
                request = try preparer.prepare(request, target: target, call: identity)
            } catch {
                throw ProviderError.underlying(error, nil).naming(target)
            }
        }
        guard !plugins.isEmpty else { return Prepared(request: request, credential: nil) }
        let prepared = PreparedRequest(
            request: request,
            configuredHeaders: session.configuration.headers,
            secretNames: Set(plugins.flatMap(\.secretHeaders).map { $0.lowercased() })
        )
        for plugin in plugins { plugin.willSend(prepared, target: target) }
        return Prepared(request: request, credential: prepared.credentials.credential)
    }

    /// A request as the plugins made it.
    struct Prepared {
        let request: URLRequest
        /// What answers the server's challenges.
        let credential: URLCredential?
    }

    /// What answers the request; not begun.
    ///
    /// - Parameters:
    ///   - mapped: the request before the plugins.
    ///   - isWanted: whether the request has not ended.
    func exchange(
        for prepared: Prepared,
        of mapped: URLRequest,
        isWanted: @escaping @Sendable () -> Bool
    ) -> any ProviderExchange {
        let request = prepared.request
        let timing: StubExchange.Timing
        switch stub {
        case .never:
            if let source {
                return StubExchange(request: request, timing: .on(queue, after: 0)) {
                    try source.response(to: request)
                }
            }
            let attempts = attempts(of: mapped, sent: request, isWanted: isWanted)
            let transfer = transfer(of: request, attempts)
            if let credential = prepared.credential { transfer.request.authenticate(with: credential) }
            return SessionExchange(transfer: transfer, prepared: request, attempts: attempts, work: self)
        case .immediate: timing = callsBackAtOnce ? .atOnce : .on(queue, after: 0)
        case .delayed(let seconds): timing = .on(queue, after: seconds)
        }
        return StubExchange(request: request, timing: timing, sample: endpoint.sampleResponseClosure)
    }

    /// Lets the plugins make further attempts of a request; nil where there can be none: only what the session has of its
    /// own can have a request sent again.
    ///
    /// - Parameters:
    ///   - mapped: the request before the plugins.
    ///   - isWanted: whether the request has not ended.
    func attempts(
        of mapped: URLRequest,
        sent: URLRequest,
        isWanted: @escaping @Sendable () -> Bool
    ) -> AttemptPreparation? {
        guard session.hasInterceptor else { return nil }
        return AttemptPreparation(of: mapped, sent: sent, work: self, isWanted: isWanted)
    }

    private func transfer(of request: URLRequest, _ attempts: AttemptPreparation?) -> SessionExchange.Transfer {
        switch endpoint.task {
        case .uploadFile(let file):
            .data(session.upload(file, with: request, timeouts: timeouts, interceptor: attempts))
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _):
            .data(
                session.upload(multipartFormData: form, with: request, timeouts: timeouts, interceptor: attempts)
            )
        case .downloadDestination(let destination), .downloadParameters(_, _, let destination):
            .download(session.download(request, timeouts: timeouts, interceptor: attempts, to: destination))
        default: .data(session.request(request, timeouts: timeouts, interceptor: attempts))
        }
    }

    /// What a plugin waits for before the request is sent once more; nil when the answer stays as it is.
    func replay(after response: Response, to request: URLRequest) -> (@Sendable () async throws -> Void)? {
        guard mayBeReplayed else { return nil }
        for case let plugin as any CallReplaying in plugins {
            if let wait = plugin.replay(after: response, to: request, target: target, call: identity) { return wait }
        }
        return nil
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
    ///   - request: what was sent; nil when it got no answer.
    func finish(_ outcome: Outcome, pluginsKnow: Bool, request: URLRequest? = nil) {
        if pluginsKnow { tellPlugins(outcome, request: request) }
        receiver.ended(outcome, wasSent: isSent)
    }

    /// Lets the plugins see what came.
    func tellPlugins(_ outcome: Outcome, request: URLRequest?) {
        for plugin in plugins {
            if let request, let observer = plugin as? any ExchangeObserving {
                observer.received(outcome, to: request, target: target)
            } else {
                plugin.didReceive(outcome, target: target)
            }
        }
    }

    /// Lets the plugins that keep exchanges see what came of the last attempt, which the others have seen already.
    func tellObservers(_ outcome: Outcome, request: URLRequest) {
        for case let observer as any ExchangeObserving in plugins {
            observer.received(outcome, to: request, target: target)
        }
    }

    /// Lets the plugins see how an attempt failed after which another is made. Those that keep exchanges keep the last
    /// one's: nobody would repeat the others.
    func tellPlugins(ofFailedAttempt outcome: Outcome) {
        for plugin in plugins where !(plugin is any ExchangeObserving) {
            plugin.didReceive(outcome, target: target)
        }
    }

    /// A session's error in the provider's words, with the target's name where the target is at fault.
    ///
    /// - Parameters:
    ///   - sent: what the plugins made; after a redirect it is not what the session could not send.
    func failure(_ error: SessionError, _ response: Response?, sent: URLRequest) -> ProviderError {
        if case .requestAdaptationFailed(let error as ProviderError) = error { return error }
        if case .urlRequestValidationFailed(.unsupportedURL(_, let why)) = error, let url = sent.url,
            WireTarget(url) == nil
        {
            return .requestMapping("\(target.nameInErrors), url: \(Redaction.url(url.absoluteString)), \(why)")
        }
        return ProviderError.underlying(error, response).naming(target)
    }

    /// Whether the network is asked.
    var isSent: Bool { stub == .never && source == nil }

    private var callsBackAtOnce: Bool { stub == .immediate && !isQueueGiven }

    /// What the plugins say of time-outs, the earlier over the later.
    var timeouts: Timeouts? {
        plugins.lazy.compactMap { [target] in ($0 as? any TimeoutSupplying)?.timeouts(for: target) }.first
    }
}
