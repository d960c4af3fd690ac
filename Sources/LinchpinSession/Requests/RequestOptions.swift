internal import Dispatch

/// What a request was asked for beside its URL request.
struct RequestOptions: Sendable {
    var timeouts: Timeouts
    /// What holds where ``timeouts`` say nothing.
    var sessionTimeouts: Timeouts
    var startsImmediately: Bool
    /// Whether the number of connections to a host is limited, so that a request may have to wait for one.
    var waitsForTurn: Bool
    var callbackQueue: DispatchQueue
}
