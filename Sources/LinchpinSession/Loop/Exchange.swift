internal import Foundation
internal import FoundationNetworking
internal import Synchronization

/// A request from its start to its end, over all its hops; lives on the loop's thread.
final class Exchange: Expiring {
    let order: ExchangeOrder
    /// Whether the number of connections to a host is limited, so that a hop may have to wait for one.
    let waitsForTurn: Bool
    /// Whether a redirect is not simply the response.
    let followsRedirects: Bool
    /// What the next or current hop sends.
    @exclusivity(unchecked) var request: URLRequest
    var body: RequestBody
    /// What answers challenges, as long as the request stays at its origin.
    var credential: HTTPCredential?
    /// Where the first hop led.
    var origin: ParsedURL?
    /// What the session adds where the request has no such field of its own; empty once it is in the request.
    @exclusivity(unchecked) var sessionFields: HTTPHeaders
    /// Where the final response's body goes; nil once the outcome has been made.
    @exclusivity(unchecked) var sink: (any BodySink)?
    var hop: Hop?
    var redirects = 0
    /// How often an evaluator of the current hop had to be told more before the hop was begun anew.
    var lessons = 0
    /// Whether what it has to be told is being fetched.
    var isLearning = false
    /// Tells what the loop waits for now from what it waited for earlier, in other attempts too.
    private(set) var question = 0
    /// The source of a hop that ended before its request went out: the next one reads it.
    var unsentBody: (any BodySource)?
    /// A redirect about which the owner has not decided yet.
    var pendingRedirect: PendingRedirect?
    /// How often a hop was begun anew because its connection did not fit the policy.
    var restarts = 0
    /// When it began, in nanoseconds of the monotonic clock.
    let start: Int64
    /// When the whole request has to be done, in nanoseconds of the monotonic clock.
    let requestDeadline: Int64
    var deadline = Int64.max
    var heapIndex: Int?

    /// A policy can change while a request waits for its connection; not for ever.
    static let mostRestarts = 5
    /// One for each certificate of a long chain would be too many.
    static let mostLessons = 3

    init(_ order: ExchangeOrder, in core: LoopCore) {
        let now = Poller.now()
        self.order = order
        start = now
        waitsForTurn = core.waitsForTurn
        followsRedirects = core.configuration.maximumRedirects > 0
        sessionFields = core.configuration.headers
        request = order.request
        body = order.body
        credential = order.credential
        requestDeadline = order.timeouts.request.map { now.advanced(bySeconds: $0) } ?? .max
    }

    private static let questions = Atomic<Int>(0)

    /// A number for what the loop waits for from now on.
    func ask() -> Int {
        question = Self.questions.wrappingAdd(1, ordering: .relaxed).newValue
        return question
    }

    /// Fields that nothing looks for in a request: a hop can add them when it sends them, which costs less than a change
    /// of the request.
    static let fieldsThatWait: Set<String> = ["accept", "accept-language", "user-agent"]

    /// Puts the session's fields into the request.
    func addSessionFields() {
        for header in sessionFields where request.value(forHTTPHeaderField: header.name) == nil {
            request.setValue(header.value, forHTTPHeaderField: header.name)
        }
        sessionFields = []
    }

    var owner: Request { order.owner }
    var timeouts: Timeouts { order.timeouts }

    /// When the next of the time-outs passes that the loop keeps.
    var nextDeadline: Int64 { min(requestDeadline, connectDeadline, idleDeadline, stepDeadline) }

    /// When the hop has to have a connection; never, once it has, or where it may have to wait for its turn.
    ///
    /// libcurl's own timer begins only when a connection is made for this very hop, not while it waits for another
    /// one that may never come.
    private var connectDeadline: Int64 {
        guard let hop, !hop.hasBegun, !waitsForTurn, let connect = timeouts.connect else { return .max }
        return hop.start.advanced(bySeconds: connect)
    }

    /// When the connection will have been silent for too long; never, while there is none, or while it is the caller
    /// who keeps it silent.
    private var idleDeadline: Int64 {
        guard let hop, hop.hasBegun, !hop.isPaused, let idle = timeouts.idle else { return .max }
        return hop.lastActivity.advanced(bySeconds: idle)
    }

    /// The time-out that has passed; nil when none has.
    func expiredTimeout(now: Int64) -> TransportError? {
        if requestDeadline <= now, let seconds = timeouts.request {
            return TransportError.timeout(.request, seconds, "the whole request took longer than \(seconds) s")
        }
        if let error = expiredStep(now: now) { return error }
        if connectDeadline <= now, let seconds = timeouts.connect {
            return TransportError.timeout(.connect, seconds, "no connection within \(seconds) s")
        }
        if idleDeadline <= now, let seconds = timeouts.idle {
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
