internal import Dispatch

/// What a request was asked for beside its URL request.
struct RequestOptions: Sendable {
    var timeouts: Timeouts
    /// What holds where ``timeouts`` say nothing.
    var sessionTimeouts: Timeouts
    var startsImmediately: Bool
    var callbackQueue: DispatchQueue
}
