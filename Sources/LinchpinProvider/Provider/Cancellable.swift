/// A request that can be cancelled.
public protocol Cancellable: Sendable {
    /// Whether ``cancel()`` was called, in time or not.
    var isCancelled: Bool { get }

    /// Ends the request, unless it has ended; its completion is called all the same. Safe to call from any thread and
    /// more than once.
    func cancel()
}
