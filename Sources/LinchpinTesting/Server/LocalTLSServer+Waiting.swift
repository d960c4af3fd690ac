internal import Foundation

extension LocalTLSServer {
    /// Waits until the log is as wanted, without blocking the threads that Swift's tasks run on.
    ///
    /// - Parameters:
    ///   - seconds: how long to wait at the most, 30 by default.
    ///   - condition: asked with every change of the log.
    /// - Returns: whether the log became so in time.
    public func waitUntil(
        timeout seconds: Double = 30,
        _ condition: @escaping @Sendable (Log) -> Bool
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            // A thread of its own: the ones that Dispatch shares out are few, and others wait on them.
            Thread.detachNewThread {
                let blocking: (Double, (Log) -> Bool) -> Bool = self.waitUntil(timeout:_:)
                continuation.resume(returning: blocking(seconds, condition))
            }
        }
    }
}
