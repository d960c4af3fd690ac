internal import Synchronization

/// Hands the steps of one request to one reader.
final class ProgressReader: Sendable {
    typealias Outcome = Result<Response, ProviderError>
    /// Sends the request.
    typealias Beginning =
        @Sendable (
            _ step: @escaping @Sendable (ProgressResponse) -> Void,
            _ end: @escaping @Sendable (Outcome) -> Void
        ) -> any Cancellable
    private typealias Element = Result<ProgressResponse?, ProviderError>

    /// What is between the request and the reader; it does not keep the reader.
    private final class Box: Sendable {
        private struct State {
            var step: ProgressResponse?
            var end: Outcome?
            var isOver = false
            var waiter: CheckedContinuation<Element, Never>?

            /// What the reader gets next, if it is there.
            mutating func take() -> Element? {
                if let step {
                    self.step = nil
                    return .success(step)
                }
                if isOver { return .success(nil) }
                guard let end else { return nil }
                isOver = true
                self.end = nil
                return end.map { ProgressResponse(response: $0) }
            }
        }

        private let state = Mutex(State())

        func step(_ step: ProgressResponse) { change { $0.step = step } }

        func end(_ outcome: Outcome) { change { $0.end = outcome } }

        func next() async -> Element {
            await withCheckedContinuation { continuation in
                var other: CheckedContinuation<Element, Never>?
                change { state in
                    other = state.waiter
                    state.waiter = continuation
                }
                // Two readers at once are one too many; none of them waits for ever.
                other?.resume(returning: .success(nil))
            }
        }

        private func change(_ body: (inout State) -> Void) {
            let (waiter, element) = state.withLock { state in
                body(&state)
                guard let waiter = state.waiter, let element = state.take() else {
                    return (nil as CheckedContinuation<Element, Never>?, nil as Element?)
                }
                state.waiter = nil
                return (waiter, element)
            }
            if let waiter, let element { waiter.resume(returning: element) }
        }
    }

    private let begin: Beginning
    private let box = Box()
    private let cancellation = TaskCancellation()
    private let hasBegun = Atomic(false)

    init(_ begin: @escaping Beginning) { self.begin = begin }

    deinit { cancellation.cancel() }

    /// The next step; nil after the one with the response. One call at a time.
    func next() async throws(ProviderError) -> ProgressResponse? {
        guard !Task.isCancelled || hasBegun.load(ordering: .acquiring) else { throw .cancelled }
        if !hasBegun.exchange(true, ordering: .acquiringAndReleasing) {
            let request = begin(box.step, box.end)
            cancellation.take { request.cancel() }
        }
        let element = await withTaskCancellationHandler {
            await box.next()
        } onCancel: {
            cancellation.cancel()
        }
        return try element.get()
    }
}
