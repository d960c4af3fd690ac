internal import Foundation

/// What few requests have; a part of their status, and under its lock.
final class RequestExtras {
    /// Made for the first who asks: its random bytes cost a read of the system's.
    var id: UUID?
    /// How the last attempt ended, while retriers look at it.
    var attempt: ExchangeOutcome?
    var closures = Closures()
    /// Says what of the response is kept; nil leaves that to the session.
    var cacheHandler: (any CachedResponseHandler)?
    /// What the attempt has to do with the cache; nil for nothing.
    var cacheTicket: CacheTicket?
    /// Monitors of this request only.
    var monitors: [any EventMonitor] = []
    /// What answers the server's challenges.
    var credential: HTTPCredential?

    /// The caller's closures, which go with the end of the request.
    struct Closures: Sendable {
        var validators: [Validator] = []
        var headHandlers: [@Sendable (ResponseHead) -> Void] = []
        /// Says where redirects lead; nil follows them.
        var redirectDecider: RedirectDecider?
    }
}
