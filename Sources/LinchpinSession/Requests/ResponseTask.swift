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
        session = request.status.withLock { $0.session }
        request.startIfWanted()
    }

    /// The response. Cancelling the Swift task that waits cancels the request.
    var response: Response {
        get async {
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    request.whenFinished(ResponseHandler(resuming: continuation, make))
                }
            } onCancel: {
                request.cancel()
            }
            withExtendedLifetime(session) {}
            return switch outcome {
            case .outcome(let outcome): make(outcome)
            case .made(let response): response
            }
        }
    }
}
