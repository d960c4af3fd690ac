internal import Dispatch

extension LocalTLSServer {
    /// Waits until the log is as wanted, without blocking the threads that Swift's tasks run on.
    ///
    /// - Parameters:
    ///   - seconds: how long to wait at the most, 5 by default.
    ///   - condition: asked with every change of the log.
    /// - Returns: whether the log became so in time.
    public func waitUntil(
        timeout seconds: Double = 5,
        _ condition: @escaping @Sendable (Log) -> Bool
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let blocking: (Double, (Log) -> Bool) -> Bool = self.waitUntil(timeout:_:)
                continuation.resume(returning: blocking(seconds, condition))
            }
        }
    }
}
