internal import Dispatch

/// What a request was asked for beside its URL request.
struct RequestOptions: Sendable {
    /// Filled from the session's and the defaults.
    var timeouts: Timeouts
    var startsImmediately: Bool
    var callbackQueue: DispatchQueue
}
