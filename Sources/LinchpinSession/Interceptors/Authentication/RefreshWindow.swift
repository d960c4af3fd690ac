public import Foundation

/// How often a credential may be refreshed.
public struct RefreshWindow: Hashable, Sendable {
    /// The length of the window that ends now, in seconds.
    public let interval: TimeInterval
    /// How many refreshes may begin within it.
    public let maximumAttempts: Int

    /// Makes a window; 5 refreshes in 30 seconds by default.
    public init(interval: TimeInterval = 30, maximumAttempts: Int = 5) {
        self.interval = interval
        self.maximumAttempts = maximumAttempts
    }
}
