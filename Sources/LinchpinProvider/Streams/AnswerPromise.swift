internal import Synchronization

/// A duty to answer somebody who waits. Only the first answer counts; when whoever has it lets go of it without one, the
/// error is the answer.
final class AnswerPromise<Value: Sendable>: Sendable {
    typealias Answer = Result<Value, ProviderError>

    /// Who waits; it outlives the promise, so that a cancelled task gets its answer anyway.
    private final class Waiter: Sendable {
        private let continuation: Mutex<CheckedContinuation<Answer, Never>?>

        init(_ continuation: CheckedContinuation<Answer, Never>) { self.continuation = Mutex(continuation) }

        func answer(_ answer: Answer) {
            let continuation = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            continuation?.resume(returning: answer)
        }
    }

    private let waiter: Waiter
    private let error: ProviderError

    private init(_ waiter: Waiter, otherwise error: ProviderError) {
        self.waiter = waiter
        self.error = error
    }

    deinit { waiter.answer(.failure(error)) }

    func keep(_ answer: Answer) { waiter.answer(answer) }

    /// The answer; a cancellation, if the task is cancelled before there is one.
    ///
    /// - Parameters:
    ///   - error: the answer of whoever gives none.
    ///   - begin: takes the duty on.
    static func answer(otherwise error: ProviderError, _ begin: (AnswerPromise) -> Void) async -> Answer {
        let cancellation = TaskCancellation()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(continuation)
                cancellation.take { waiter.answer(.failure(.cancelled)) }
                begin(AnswerPromise(waiter, otherwise: error))
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
