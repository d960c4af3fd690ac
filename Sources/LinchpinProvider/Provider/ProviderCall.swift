internal import Dispatch
internal import FoundationNetworking
internal import Synchronization

/// One request of a provider, from its endpoint to its completion.
final class ProviderCall: Cancellable {
    private struct Guarded {
        var state = CallState()
        /// Nil once the request has ended.
        var pending: Pending?
    }

    private struct Pending {
        let work: CallWork
        /// Ends what is under way.
        var stop: (@Sendable () -> Void)?
        /// Whether the plugins have seen the last attempt being sent; asked where they are called.
        var isSeen: (@Sendable () -> Bool)?
    }

    private let guarded: Mutex<Guarded>

    init(_ work: CallWork) { guarded = Mutex(Guarded(pending: Pending(work: work))) }

    var isCancelled: Bool { guarded.withLock { $0.state.isCancelled } }

    func cancel() {
        var cancellation = CallState.Cancellation.nothing
        let pending = take {
            cancellation = $0.cancel()
            return cancellation != .nothing
        }
        guard let pending else { return }
        pending.stop?()
        // Never at once: the caller may hold a lock of its own.
        pending.work.queue.async { [pluginsKnow = cancellation == .abort] in
            pending.work.finish(.failure(.cancelled), pluginsKnow: pluginsKnow && pending.isSeen?() != false)
        }
    }

    /// The request closure has answered. Only its first answer counts.
    func mappingEnded(_ result: Result<URLRequest, ProviderError>) {
        switch result {
        case .success(let request):
            let work = guarded.withLock { $0.state.mapped() ? $0.pending?.work : nil }
            if let work { send(request, work, .first) }
        case .failure(let error):
            guard let work = take({ $0.mappingFailed() })?.work else { return }
            work.deliver(.failure(error.naming(work.target)), pluginsKnow: false)
        }
    }

    /// The request closure will never answer.
    func mappingAbandoned() {
        guard let work = take({ $0.mappingFailed() })?.work else { return }
        let reason = "\(work.target.nameInErrors): the request closure gave no request"
        work.deliver(.failure(.requestMapping(reason)), pluginsKnow: false)
    }

    private enum Attempt {
        case first
        case again
    }

    private func send(_ request: URLRequest, _ work: CallWork, _ attempt: Attempt) {
        let prepared: CallWork.Prepared
        do {
            prepared = try work.prepare(request)
        } catch {
            guard take({ $0.preparingFailed() }) != nil else { return }
            return work.deliver(.failure(error), pluginsKnow: false)
        }
        let exchange = work.exchange(for: prepared, of: request) { [weak self] in
            self?.guarded.withLock { $0.state.isSent } ?? false
        }
        let isWanted = guarded.withLock { guarded in
            let isWanted = guarded.state.prepared()
            guarded.pending =
                isWanted ? Pending(work: work, stop: exchange.cancel, isSeen: { exchange.isSeen }) : nil
            return isWanted
        }
        guard isWanted else { return work.deliver(.failure(.cancelled), pluginsKnow: true) }
        exchange.start { [self] result in
            if attempt == .first, case .success(let response) = result,
                let wait = work.replay(after: response, to: exchange.sent)
            {
                suspend(request, work, response, to: exchange.sent, until: wait)
            } else if let work = take({ $0.answered() })?.work {
                work.finish(
                    result.validated(by: work.target.validationType),
                    pluginsKnow: exchange.isSeen,
                    request: exchange.sent
                )
            }
        }
    }

    /// Sends the request once more when `wait` says so.
    private func suspend(
        _ request: URLRequest,
        _ work: CallWork,
        _ response: Response,
        to sent: URLRequest,
        until wait: @escaping @Sendable () async throws -> Void
    ) {
        let pause = ReplayPause(wait)
        let isWanted = guarded.withLock { guarded in
            guard guarded.state.suspended() else { return false }
            guarded.pending?.stop = pause.cancel
            return true
        }
        guard isWanted else { return }
        let outcome = CallWork.Outcome.success(response).validated(by: work.target.validationType)
        work.tellPlugins(ofFailedAttempt: outcome)
        pause.start { [self] result in
            switch result {
            case .success:
                work.queue.async { [self] in
                    guard guarded.withLock({ $0.state.replayed() }) else { return }
                    send(request, work, .again)
                }
            case .failure(let error):
                guard take({ $0.replayFailed() }) != nil else { return }
                work.queue.async {
                    work.tellObservers(outcome, request: sent)
                    work.finish(.failure(.underlying(error, response)), pluginsKnow: false)
                }
            }
        }
    }

    /// What is pending, if the event is the one that ends the request. It is let go of outside the lock.
    private func take(_ event: (inout CallState) -> Bool) -> Pending? {
        guarded.withLock { guarded in
            guard event(&guarded.state) else { return nil }
            defer { guarded.pending = nil }
            return guarded.pending
        }
    }
}

extension Result<Response, ProviderError> {
    /// The response, if its status code is a success.
    func validated(by type: ValidationType) -> Self {
        guard case .success(let response) = self, !type.accepts(response.statusCode) else { return self }
        return .failure(.underlying(ProviderError.statusCode(response), response))
    }
}
