/// A download that is waited for; the request starts when this is made, unless the session says otherwise.
///
/// It keeps the session. Cancelling the Swift task that waits cancels the request.
public struct DownloadTask<Value: Sendable>: Sendable {
    private let task: ResponseTask<DownloadResponse<Value, SessionError>>

    init(_ task: ResponseTask<DownloadResponse<Value, SessionError>>) { self.task = task }

    /// The response with its value or error.
    public var response: DownloadResponse<Value, SessionError> { get async { await task.response } }

    /// The value, or why there is none.
    public var result: Result<Value, SessionError> { get async { await response.result } }

    /// The value.
    ///
    /// - Throws: ``SessionError``.
    public var value: Value { get async throws(SessionError) { try await result.get() } }

    /// Cancels the request; nothing of it is kept.
    public func cancel() { task.request.cancel() }
}
