internal import Foundation
internal import FoundationNetworking

/// A request from its start to its end, over all its hops; lives on the loop's thread.
final class Exchange: Expiring {
    let owner: DataRequest
    let options: RequestOptions
    /// What the next or current hop sends.
    var request: URLRequest
    var hop: Hop?
    var redirects = 0
    /// How often a hop was begun anew because its connection did not fit the policy.
    var restarts = 0
    /// When the whole request has to be done, in nanoseconds of the monotonic clock.
    let requestDeadline: Int64
    var deadline = Int64.max
    var heapIndex: Int?

    /// A policy can change while a request waits for its connection; not for ever.
    static let mostRestarts = 5

    init(request: URLRequest, options: RequestOptions, owner: DataRequest, now: Int64) {
        self.request = request
        self.options = options
        self.owner = owner
        requestDeadline = options.timeouts.request.map { now.advanced(bySeconds: $0) } ?? .max
    }

    /// When the next of the time-outs passes that the loop keeps.
    var nextDeadline: Int64 { min(requestDeadline, connectDeadline, idleDeadline) }

    /// When the hop has to have a connection; never, once it has, or where it may have to wait for its turn.
    ///
    /// libcurl's own timer begins only when a connection is made for this very hop, not while it waits for another
    /// one that may never come.
    private var connectDeadline: Int64 {
        guard let hop, !hop.hasBegun, !options.waitsForTurn, let connect = options.timeouts.connect else { return .max }
        return hop.start.advanced(bySeconds: connect)
    }

    /// When the connection will have been silent for too long; never, while there is none.
    private var idleDeadline: Int64 {
        guard let hop, hop.hasBegun, let idle = options.timeouts.idle else { return .max }
        return hop.lastActivity.advanced(bySeconds: idle)
    }

    /// The time-out that has passed; nil when none has.
    func expiredTimeout(now: Int64) -> TransportError? {
        if requestDeadline <= now, let seconds = options.timeouts.request {
            return TransportError.timeout(.request, seconds, "the whole request took longer than \(seconds) s")
        }
        if connectDeadline <= now, let seconds = options.timeouts.connect {
            return TransportError.timeout(.connect, seconds, "no connection within \(seconds) s")
        }
        if idleDeadline <= now, let seconds = options.timeouts.idle {
            return TransportError.timeout(.idle, seconds, "no byte came or went for \(seconds) s")
        }
        return nil
    }
}

extension TransportError {
    static func timeout(_ kind: Timeouts.Kind, _ seconds: TimeInterval, _ message: String) -> TransportError {
        TransportError(
            code: .timedOut(kind, after: seconds),
            curlCode: nil,
            message: "\(kind.rawValue) time-out: \(message)"
        )
    }
}

extension Int64 {
    /// A moment later by so many seconds; `Int64.max` where the sum has no room.
    func advanced(bySeconds seconds: TimeInterval) -> Int64 {
        let nanoseconds = seconds * 1_000_000_000
        guard nanoseconds < Double(Int64.max / 2) else { return .max }
        return addingReportingOverflow(Int64(nanoseconds)).overflow ? .max : self + Int64(nanoseconds)
    }
}
