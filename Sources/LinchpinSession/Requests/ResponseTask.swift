internal import Synchronization

/// A response that is waited for; the request starts when this is made, unless the session says otherwise.
struct ResponseTask<Response: FailureCarrying>: Sendable {
    let request: Request
    /// Whoever waits keeps the session.
    private let session: Session?
    private let make: @Sendable (ExchangeOutcome) -> Response
    /// The same for who does not know the type. Made here, where it is known: generic code, which looks up its types,
    /// would take as long over it as over the rest.
    private let makeAny: @Sendable (ExchangeOutcome) -> any FailureCarrying

    init(_ request: Request, _ make: @escaping @Sendable (ExchangeOutcome) -> Response) {
        self.request = request
        let make = request.monitored(make)
        self.make = make
        makeAny = { make($0) }
        session = request.session
        request.startIfWanted()
    }

    /// The response. Cancelling the Swift task that waits cancels the request.
    var response: Response {
        @inline(__always) get async {
            let made = await request.ended(makeAny)
            withExtendedLifetime(session) {}
            guard let made else { return make(request.finalOutcome) }
            return response(made)
        }
    }

    /// Apart, so that its types are looked up only when it is called.
    @inline(never)
    private func response(_ made: AnyResponse) -> Response {
        made.response as? Response ?? make(request.finalOutcome)
    }
}

extension Request {
    /// Waits for the end.
    ///
    /// - Returns: what was made of the outcome, where that was necessary to know the end.
    fileprivate func ended(
        _ make: @escaping @Sendable (ExchangeOutcome) -> any FailureCarrying
    ) async -> AnyResponse? {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { whenFinished(TaskHandler($0, make)) }
        } onCancel: {
            cancel()
        }
    }

    /// The outcome, of a request that has ended.
    fileprivate var finalOutcome: ExchangeOutcome {
        // A task that gets nothing made is resumed by TaskHandler.run only, which is called once the outcome is kept.
        guard let outcome = status.withLock({ $0.outcome }) else { fatalError("handlers are called after the end") }
        return outcome
    }
}
