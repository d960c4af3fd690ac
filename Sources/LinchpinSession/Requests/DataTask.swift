/// A response that is waited for; the request starts when this is made, unless the session says otherwise.
///
/// It keeps the session. Cancelling the Swift task that waits cancels the request.
public struct DataTask<Value: Sendable>: Sendable {
    private let request: DataRequest
    private let session: Session?
    private let make: @Sendable (ExchangeOutcome) -> DataResponse<Value, SessionError>

    init(
        request: DataRequest,
        session: Session?,
        _ make: @escaping @Sendable (ExchangeOutcome) -> DataResponse<Value, SessionError>
    ) {
        self.request = request
        self.session = session
        self.make = make
    }

    /// The response with its value or error.
    public var response: DataResponse<Value, SessionError> {
        get async {
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    request.whenFinished { continuation.resume(returning: $0) }
                }
            } onCancel: {
                request.cancel()
            }
            withExtendedLifetime(session) {}
            return make(outcome)
        }
    }

    /// The value, or why there is none.
    public var result: Result<Value, SessionError> { get async { await response.result } }

    /// The value.
    ///
    /// - Throws: ``SessionError``.
    public var value: Value { get async throws(SessionError) { try await result.get() } }

    /// Cancels the request.
    public func cancel() { request.cancel() }
}
