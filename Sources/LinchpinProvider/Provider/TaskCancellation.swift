internal import Synchronization

/// Carries a task's cancellation to a request that may not have been made yet.
final class TaskCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var request: (any Cancellable)?
    }

    private let state = Mutex(State())

    /// Takes the request up and cancels it if the task was cancelled meanwhile.
    func take(_ request: any Cancellable) {
        let isCancelled = state.withLock { state in
            state.request = request
            return state.isCancelled
        }
        if isCancelled { request.cancel() }
    }

    func cancel() {
        let request = state.withLock { state in
            state.isCancelled = true
            return state.request
        }
        request?.cancel()
    }
}
