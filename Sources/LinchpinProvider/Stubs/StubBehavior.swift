public import Foundation

/// Whether a request is answered by the target's sample, without any network.
public enum StubBehavior: Hashable, Sendable {
    /// No, it is sent.
    case never
    /// At once. Without a callback queue the completion is called before `request` returns.
    case immediate
    /// After so many seconds; at once when that is not a positive number.
    case delayed(seconds: TimeInterval)
}
