internal import FoundationNetworking
internal import Synchronization

extension Request {
    /// Adds a monitor of this request, after the session's; from what happens next on. Response handlers that are
    /// there already do not tell it what they make.
    @discardableResult
    public func eventMonitor(_ monitor: any EventMonitor) -> Self {
        status.withLock { $0.makeExtras().monitors.append(monitor) }
        isMonitored.store(true, ordering: .releasing)
        return self
    }

    /// Calls back with what tells the monitors, if there are any; without one this costs no more than a look.
    func notify(_ tell: ([any EventMonitor]) -> Void) {
        guard isMonitored.load(ordering: .acquiring) else { return }
        tell(core.monitors + (status.withLock { $0.extras?.monitors } ?? []))
    }

    /// Tells the monitors what a response is made into.
    func monitored<Response: FailureCarrying>(
        _ make: @escaping @Sendable (ExchangeOutcome) -> Response
    ) -> @Sendable (ExchangeOutcome) -> Response {
        guard isMonitored.load(ordering: .acquiring) else { return make }
        return { [weak self] outcome in
            let response = make(outcome)
            if let self { notify { $0.tell { response.tell($0, of: self) } } }
            return response
        }
    }

    func notifyOfBeginning(_ request: URLRequest, attempt: Int) {
        notify { monitors in
            monitors.tell { $0.request(self, didCreateURLRequest: request) }
            monitors.tell { $0.request(self, didBeginAttempt: attempt) }
        }
    }

    func notifyOfRedirect(_ head: ResponseHead, to next: URLRequest) {
        notify { $0.tell { $0.request(self, willBeRedirectedTo: next, for: head.response) } }
    }
}
