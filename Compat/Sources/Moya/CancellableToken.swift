internal import Synchronization

/// Does something once when it is cancelled; for stand-ins of a provider.
public final class CancellableToken: Cancellable {
    private let action: @Sendable () -> Void
    private let cancelled = Atomic(false)

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - action: called by the first ``cancel()``, on its thread.
    @preconcurrency
    public init(action: @escaping @Sendable () -> Void) { self.action = action }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Does what it is for, the first time.
    public func cancel() {
        if !cancelled.exchange(true, ordering: .acquiringAndReleasing) { action() }
    }
}
