internal import Synchronization

/// A response that is waited for; the request starts when this is made, unless the session says otherwise.
struct ResponseTask<Response: FailureCarrying>: Sendable {
    let request: Request
    /// Whoever waits keeps the session.
    private let session: Session?
    private let make: @Sendable (ExchangeOutcome) -> Response

    init(_ request: Request, _ make: @escaping @Sendable (ExchangeOutcome) -> Response) {
        self.request = request
        self.make = request.monitored(make)
        session = request.session
        request.startIfWanted()
    }

    /// The response. Cancelling the Swift task that waits cancels the request.
    var response: Response {
        @inline(__always) get async {
            let made = await request.ended { [make] in make($0) }
            withExtendedLifetime(session) {}
            guard let made else { return make(request.finalOutcome) }
            return response(made)
        }
    }

    /// Apart, since generic code looks up all the types that it may need.
    @inline(never)
    private func response(_ made: any FailureCarrying) -> Response { made as? Response ?? make(request.finalOutcome) }
}

extension Request {
    /// Waits for the end. What is made of it has no part in this: generic code, which looks up its types, would take as
    /// long as the rest.
    ///
    /// - Returns: what the closure has made of the outcome, where that was necessary to know the end.
    fileprivate func ended(
        _ make: @escaping @Sendable (ExchangeOutcome) -> any FailureCarrying
    ) async -> (any FailureCarrying)? {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { whenFinished(TaskHandler($0, make)) }
        } onCancel: {
            cancel()
        }
    }

    /// The outcome, of a request that has ended.
    fileprivate var finalOutcome: ExchangeOutcome {
        guard let outcome = status.withLock({ $0.outcome }) else { fatalError("handlers are called after the end") }
        return outcome
    }
}
