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
        /// What is under way.
        var exchange: (any ProviderExchange)?
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
        pending.exchange?.cancel()
        // Never at once: the caller may hold a lock of its own.
        pending.work.queue.async { [pluginsKnow = cancellation == .abort] in
            pending.work.finish(.failure(.cancelled), pluginsKnow: pluginsKnow)
        }
    }

    /// The request closure has answered. Only its first answer counts.
    func mappingEnded(_ result: Result<URLRequest, ProviderError>) {
        switch result {
        case .success(let request):
            let work = guarded.withLock { $0.state.mapped() ? $0.pending?.work : nil }
            if let work { send(request, work) }
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

    private func send(_ request: URLRequest, _ work: CallWork) {
        let exchange: any ProviderExchange
        do {
            exchange = work.exchange(for: try work.prepare(request))
        } catch {
            guard take({ $0.preparingFailed() }) != nil else { return }
            return work.deliver(.failure(error), pluginsKnow: false)
        }
        let isWanted = guarded.withLock { guarded in
            let isWanted = guarded.state.prepared()
            guarded.pending = isWanted ? Pending(work: work, exchange: exchange) : nil
            return isWanted
        }
        guard isWanted else { return work.deliver(.failure(.cancelled), pluginsKnow: true) }
        exchange.start { [self] result in
            guard let work = take({ $0.answered() })?.work else { return }
            work.finish(result.validated(by: work.target.validationType), pluginsKnow: true)
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
    fileprivate func validated(by type: ValidationType) -> Self {
        guard case .success(let response) = self, !type.accepts(response.statusCode) else { return self }
        return .failure(.underlying(ProviderError.statusCode(response), response))
    }
}
