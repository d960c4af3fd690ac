internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import Synchronization

/// Looks at a response; its error ends the request, unless a retrier wants another attempt.
typealias Validator = @Sendable (ExchangeOutcome) -> SessionError?

extension Request {
    /// Begins the first attempt.
    func begin() {
        core.add(self)
        limitResource()
        guard !isIntercepted else { return core.workQueue.async { self.prepare(attempt: 0) } }
        prepare(attempt: 0)
    }

    private var isIntercepted: Bool { core.hasInterceptor || options.hasInterceptor }

    private var interceptor: (any RequestInterceptor)? {
        isIntercepted ? core.interceptor(over: options.interceptor) : nil
    }

    /// Makes the URL request and lets the adapters change it.
    private func prepare(attempt: Int) {
        do {
            let initial = try convertible.asURLRequest()
            notify { $0.tell { $0.request(self, didCreateInitialURLRequest: initial) } }
            guard isIntercepted, let interceptor else { return send(initial, attempt: attempt) }
            guard let session else { throw SessionError.sessionDeinitialized }
            interceptor.adapt(initial, for: session) { [weak self] result in
                switch result {
                case .success(let request): self?.adapted(initial, to: request, attempt: attempt)
                case .failure(let error): self?.notAdapted(initial, error, attempt: attempt)
                }
            }
        } catch {
            let reason = error.asRequestCreationError
            notify { $0.tell { $0.request(self, didFailToCreateURLRequestWithError: reason) } }
            attemptEnded(ExchangeOutcome(error: reason), attempt: attempt)
        }
    }

    private func adapted(_ initial: URLRequest, to request: URLRequest, attempt: Int) {
        notify { $0.tell { $0.request(self, didAdaptInitialRequest: initial, to: request) } }
        send(request, attempt: attempt)
    }

    private func notAdapted(_ initial: URLRequest, _ error: any Error, attempt: Int) {
        let reason = error as? SessionError ?? .requestAdaptationFailed(error: error)
        notify { $0.tell { $0.request(self, didFailToAdaptURLRequest: initial, withError: reason) } }
        attemptEnded(ExchangeOutcome(request: initial, error: reason), attempt: attempt)
    }

    private func send(_ request: URLRequest, attempt: Int) {
        do {
            var request = request
            var timeouts = options.timeouts
            // A look into a URL request costs more than to know that there is nothing in it.
            let isPlain = options.isPlain && !isIntercepted
            // Foundation's own default says nothing of what the caller wants.
            if !isPlain, request.timeoutInterval != 60 {
                timeouts = (timeouts ?? Timeouts()).filled(from: Timeouts(idle: request.timeoutInterval))
                request.timeoutInterval = 60
            }
            let filled = try timeouts.map { try FilledTimeouts($0, core.configuration) } ?? core.timeouts.get()
            let body = isPlain ? .none : try makeBody(of: request)
            let credential = try credential()
            start(
                ExchangeOrder(
                    request: request,
                    body: body,
                    timeouts: filled,
                    credential: credential,
                    owner: self,
                    attempt: attempt
                )
            )
        } catch {
            let reason = error.asRequestCreationError
            attemptEnded(ExchangeOutcome(request: request, error: reason), attempt: attempt)
        }
    }

    /// Hands an attempt to the loop.
    func startInLoop(_ order: ExchangeOrder) {
        let isWanted = status.withLock { status in
            // Of an adapter that answers twice the first answer counts.
            guard status.machine.prepared(attempt: order.attempt) else { return false }
            status.request = order.request
            return true
        }
        guard isWanted else { return }
        notifyOfBeginning(order.request, attempt: order.attempt)
        core.loop(of: self).start(order)
    }

    /// The loop has ended an attempt. Called on its thread: the caller's code runs elsewhere.
    func exchangeEnded(_ outcome: ExchangeOutcome, attempt: Int) {
        exchangeEnded(outcome, attempt: attempt, on: core.loop(of: self))
    }

    /// The same for an attempt that the loop has not taken.
    ///
    /// - Parameters:
    ///   - loop: the loop whose thread calls; nil for any other thread.
    func exchangeEnded(_ outcome: ExchangeOutcome, attempt: Int, on loop: EventLoop?) {
        notify { monitors in
            if let metrics = outcome.metrics { monitors.tell { $0.request(self, didGatherMetrics: metrics) } }
            monitors.tell { $0.request(self, didCompleteAttempt: attempt, with: outcome.error) }
        }
        guard let cache = core.configuration.cache else { return attemptEnded(outcome, attempt: attempt, on: loop) }
        core.workQueue.async { self.attemptEnded(self.throughCache(outcome, cache), attempt: attempt) }
    }

    func attemptEnded(_ outcome: ExchangeOutcome, attempt: Int, on loop: EventLoop? = nil) {
        let (counts, validators) = status.withLock { status in
            (status.machine.ended(attempt: attempt), status.extras?.closures.validators ?? [])
        }
        guard counts else { return discard(outcome) }
        let isSimple = validators.isEmpty && !isIntercepted && !completesOffLoop
        guard !isSimple, outcome.error?.isFinal != true else { return finish(outcome, on: loop) }
        core.workQueue.async { self.decide(outcome, validators, attempt: attempt) }
    }

    /// Validates the outcome, serializes it, and asks the retrier about an error.
    private func decide(_ outcome: ExchangeOutcome, _ validators: [Validator], attempt: Int) {
        guard isWanted else { return discard(outcome) }
        let outcome = validated(outcome, by: validators)
        guard let interceptor else { return finish(outcome) }
        let isOver = status.withLock { status in
            if status.outcome == nil { status.makeExtras().attempt = outcome }
            return status.outcome != nil
        }
        if isOver { return discard(outcome) }
        if let error = outcome.error {
            return ask(interceptor, about: error, attempt: attempt) { self.finish($0, outcome) }
        }
        // A serializer's error may lead to another attempt too: nothing is delivered before all have spoken.
        let handlers = status.withLock { $0.handlers.all }
        let made = handlers.map { $0.make(outcome) }
        guard let error = made.lazy.compactMap(\.error).first else { return finish(outcome, made) }
        ask(interceptor, about: error, attempt: attempt) { refused in
            if let refused { self.finish(refused, outcome) } else { self.finish(outcome, made) }
        }
    }

    private func validated(_ outcome: ExchangeOutcome, by validators: [Validator]) -> ExchangeOutcome {
        var outcome = outcome
        complete(&outcome)
        if let response = outcome.response, !validators.isEmpty, outcome.error == nil {
            for validator in validators where outcome.error == nil { outcome.error = validator(outcome) }
            let error = outcome.error
            notify { $0.tell { $0.request(self, didValidateResponse: response, withError: error) } }
        }
        return outcome
    }

    /// - Parameters:
    ///   - end: called when there is no other attempt, with the retrier's own error, if it has one.
    private func ask(
        _ retrier: any RequestInterceptor,
        about error: SessionError,
        attempt: Int,
        end: @escaping @Sendable (SessionError?) -> Void
    ) {
        // Whoever ends the session ends those that wait for a retrier: not one who begins to only now.
        guard allowsRetry, !core.hasEnded, let session else { return end(nil) }
        retrier.retry(self, for: session, dueTo: error) { [weak self] result in
            guard let self else { return }
            switch result {
            case .retry: retry(after: 0, attempt: attempt)
            case .retryWithDelay(let delay): retry(after: delay, attempt: attempt)
            case .doNotRetry:
                if status.withLock({ $0.machine.willNotRetry(attempt: attempt) }) { end(nil) }
            case .doNotRetryWithError(let retryError):
                guard status.withLock({ $0.machine.willNotRetry(attempt: attempt) }) else { return }
                end(.requestRetryFailed(retryError: retryError, originalError: error))
            }
        }
    }

    private func retry(after delay: TimeInterval, attempt: Int) {
        let (isWanted, last) = status.withLock { status in
            let isWanted = status.machine.willRetry(attempt: attempt)
            return (isWanted, isWanted ? status.extras?.attempt : nil)
        }
        guard isWanted else { return }
        if var last {
            // The next attempt may go on from there.
            last.partialDownload = nil
            discard(last)
        }
        notify { $0.tell { $0.requestIsRetrying(self) } }
        core.workQueue.asyncAfter(deadline: .now() + max(delay, 0)) { [weak self] in
            guard let self, let next = status.withLock({ $0.machine.beginAttempt() }) else { return }
            prepare(attempt: next)
        }
    }

    /// Ends with the outcome, in which the retrier's error, if it has one, replaces the first.
    private func finish(_ retrierError: SessionError?, _ outcome: ExchangeOutcome) {
        var outcome = outcome
        outcome.error = retrierError ?? outcome.error
        finish(outcome)
    }

    /// Keeps the outcome and hands it to every handler; only the first call counts.
    ///
    /// - Parameters:
    ///   - made: what the first handlers have made of the outcome already.
    ///   - loop: the loop whose thread calls; nil for any other thread.
    func finish(_ outcome: ExchangeOutcome, _ made: [MadeResponse] = [], on loop: EventLoop? = nil) {
        // What goes with the closures and the session, goes outside the lock.
        let isCancellation = outcome.error?.isExplicitlyCancelledError == true
        let ending = status.withLock { status -> Ending? in
            // Once it is cancelled, that is how it ends; and its end is under way.
            guard status.machine.state != .cancelled || isCancellation, status.machine.finish() else { return nil }
            status.outcome = outcome
            return Ending(takingFrom: &status)
        }
        guard let ending else {
            let told = status.withLock { $0.outcome }
            if told?.holdsSameFiles(as: outcome) != true { discard(outcome) }
            return
        }
        core.remove(self)
        if let last = ending.attempt, !last.holdsSameFiles(as: outcome) { discard(last) }
        notify { $0.tell { $0.requestDidFinish(self) } }
        uploadReporter.end()
        downloadReporter.end()
        for response in made { response.deliver() }
        ending.handlers.run(outcome, on: loop, after: made.count)
        withExtendedLifetime(ending) {}
    }

    /// What a request that has ended needs no more.
    private struct Ending {
        let session: Session?
        let handlers: ResponseHandlers
        let attempt: ExchangeOutcome?
        let closures: RequestExtras.Closures?

        init(takingFrom status: inout Status) {
            session = status.keptSession
            handlers = status.handlers
            attempt = status.extras?.attempt
            closures = status.extras?.closures
            status.keptSession = nil
            status.handlers = ResponseHandlers()
            status.extras?.attempt = nil
            status.extras?.closures = RequestExtras.Closures()
        }
    }

    /// Calls back once, at once if the request has ended.
    func whenFinished(_ handler: any ResponseHandler) {
        let (outcome, isNew) = status.withLock { status in
            if status.outcome == nil { status.handlers.append(handler) }
            return (status.outcome, status.machine.state == .initialized)
        }
        if let outcome {
            handler.run(outcome, on: nil)
        } else if isNew {
            startIfWanted()
        }
    }

    /// Tells the loop to look at this request again.
    func wakeLoop() { core.wake(self) }

    /// Whether the loop has the request and will say how it ended.
    var isInLoop: Bool { status.withLock { $0.machine.phase == .running } }

    /// Whether somebody still wants the outcome.
    var isWanted: Bool { status.withLock { $0.machine.isWanted } }
}

// MARK: - The whole resource

extension Request {
    private func limitResource() {
        guard let seconds = options.timeouts?.resource ?? core.configuration.timeouts.resource else { return }
        core.workQueue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.resourceExpired(seconds) }
    }

    private func resourceExpired(_ seconds: TimeInterval) {
        let error = TransportError.timeout(
            .resource,
            seconds,
            "the request with its retries took longer than \(seconds) s"
        )
        finish(ExchangeOutcome(request: request, error: .sessionTaskFailed(error: error)))
        core.cancel(self)
    }
}

extension SessionError {
    /// Whether no other attempt can help.
    fileprivate var isFinal: Bool {
        switch self {
        case .explicitlyCancelled, .sessionDeinitialized, .sessionInvalidated: true
        default: false
        }
    }
}
