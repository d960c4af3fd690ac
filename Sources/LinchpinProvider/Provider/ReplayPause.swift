internal import Synchronization

/// A request that waits to be sent once more.
final class ReplayPause: Sendable {
    private struct State {
        var isCancelled = false
        var task: Task<Void, Never>?
    }

    private let wait: @Sendable () async throws -> Void
    private let state = Mutex(State())

    init(_ wait: @escaping @Sendable () async throws -> Void) { self.wait = wait }

    /// Begins to wait; `done` is called once.
    func start(_ done: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let task = Task { [wait] in
            do {
                try await wait()
                done(.success(()))
            } catch {
                done(.failure(error))
            }
        }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }
}

extension ReplayPause {
    /// Ends the wait of this request; what others wait for goes on.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
