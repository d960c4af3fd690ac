internal import Dispatch
public import Foundation
public import FoundationNetworking
internal import Synchronization

/// What all requests have in common.
///
/// A request starts with its first response handler or task, or with ``resume()``. Every handler is called exactly
/// once, whatever happens: response, error, time-out, cancellation, the session's end. Safe to use from any thread.
public class Request {
    /// Where a request stands. The last two are final.
    public enum State: Sendable {
        /// Made, not started.
        case initialized
        /// Started.
        case resumed
        /// Held: nothing is read and nothing sent, and no idle time-out passes.
        case suspended
        /// Cancelled by the caller.
        case cancelled
        /// Ended with a response or an error.
        case finished
    }

    let core: SessionCore
    let options: RequestOptions
    let convertible: any URLRequestConvertible
    let status: Mutex<Status>
    let uploadReporter = ProgressReporter()
    let downloadReporter = ProgressReporter()
    /// Where the session notes it; changed under the session's lock only.
    let place = Atomic(-1)
    /// Whether anybody is told what happens.
    let isMonitored: Atomic<Bool>

    /// What changes, under one lock.
    struct Status {
        var machine = RequestStatus()
        /// Kept until the request starts, so that it can start.
        var keptSession: Session?
        /// What the last attempt sends.
        var request: URLRequest?
        var outcome: ExchangeOutcome?
        var handlers = ResponseHandlers()
        /// What few requests have; nil for the others.
        var extras: RequestExtras?

        struct Resumption {
            let kind: RequestStatus.Resumption
            /// What was kept until now.
            var session: Session?
        }

        mutating func resume() -> Resumption {
            let kind = machine.resume()
            guard kind == .begin else { return Resumption(kind: kind) }
            defer { keptSession = nil }
            return Resumption(kind: kind, session: keptSession)
        }

        /// What few requests have, to be changed.
        mutating func makeExtras() -> RequestExtras {
            if let extras { return extras }
            let extras = RequestExtras()
            self.extras = extras
            return extras
        }
    }

    init(_ convertible: any URLRequestConvertible, options: RequestOptions, session: Session) {
        self.convertible = convertible
        self.options = options
        core = session.core
        isMonitored = Atomic(!session.core.monitors.isEmpty)
        status = Mutex(Status(keptSession: session))
    }

    /// The session, as long as somebody keeps it.
    var session: Session? { status.withLock { $0.keptSession } ?? core.session }

    /// Tells this request from others.
    public var id: UUID {
        status.withLock { status in
            let extras = status.makeExtras()
            if let id = extras.id { return id }
            let id = UUID()
            extras.id = id
            return id
        }
    }

    /// Where the request stands.
    public var state: State { status.withLock { $0.machine.state } }

    /// The URL request of the last attempt, with what interceptors made of it; nil before the first.
    public var request: URLRequest? { status.withLock { $0.request } }

    /// The response, once the request or, for a retrier, its last attempt has ended with one.
    public var response: HTTPURLResponse? { latestOutcome?.response }

    /// How the request or, for a retrier, its last attempt has ended.
    var latestOutcome: ExchangeOutcome? { status.withLock { $0.outcome ?? $0.extras?.attempt } }

    /// Why the request ended without a response that is wanted.
    public var error: SessionError? { status.withLock { $0.outcome?.error } }

    /// How often the request was sent again by a retrier.
    public var retryCount: Int { status.withLock { $0.machine.attempt } }

    /// Starts the request, or lets it go on after ``suspend()``.
    @discardableResult
    public func resume() -> Self {
        goOn(status.withLock { $0.resume() })
        return self
    }

    /// Does what resuming it has to do.
    private func goOn(_ resumption: Status.Resumption) {
        if resumption.kind != .nothing { notify { $0.tell { $0.requestDidResume(self) } } }
        switch resumption.kind {
        case .begin:
            begin()
            withExtendedLifetime(resumption.session) {}
        case .goOn: wakeLoop()
        case .nothing: break
        }
    }

    /// Starts the request, if it starts by itself.
    func startIfWanted() {
        guard options.startsImmediately ?? core.configuration.startRequestsImmediately else { return }
        goOn(status.withLock { $0.machine.state == .initialized ? $0.resume() : Status.Resumption(kind: .nothing) })
    }

    /// Holds the request until ``resume()``. What libcurl and the system have read by then is kept, nothing more.
    @discardableResult
    public func suspend() -> Self {
        let (wasRunning, wakesLoop) = status.withLock { status in
            let state = status.machine.state
            let wakesLoop = status.machine.suspend()
            return (status.machine.state != state, wakesLoop)
        }
        if wasRunning { notify { $0.tell { $0.requestDidSuspend(self) } } }
        if wakesLoop { wakeLoop() }
        return self
    }

    /// Ends the request with `.explicitlyCancelled`, unless it has ended already.
    @discardableResult
    public func cancel() -> Self {
        let wasWanted = status.withLock { $0.machine.cancel() }
        if wasWanted {
            notify { $0.tell { $0.requestDidCancel(self) } }
            cancelled()
        }
        return self
    }

    // What kinds of requests differ in.

    /// Where the response's body goes, for each attempt; called on the loop's thread.
    func makeSink() throws(SessionError) -> any BodySink { DataSink(onHead: headObserver) }

    /// What the request sends.
    func makeBody(of request: URLRequest) throws -> RequestBody {
        if let stream = request.httpBodyStream { return .stream(StreamBody(stream)) }
        guard let body = request.httpBody, !body.isEmpty else { return .none }
        return .data(body)
    }

    /// Does with an outcome what cannot be done on the loop, before validators see it.
    func complete(_ outcome: inout ExchangeOutcome) {}

    /// Gives up what an outcome holds that nobody will be told of.
    func discard(_ outcome: ExchangeOutcome) {}

    /// Whether ``complete(_:)`` has something to do.
    var completesOffLoop: Bool { false }

    /// Whether the response may come from the session's cache, and be kept there.
    var usesCache: Bool { false }

    /// Whether another attempt can stand for this one: nothing of this one has been handed on.
    var allowsRetry: Bool { true }

    /// The caller has cancelled: by default the outcome is there at once.
    func cancelled() {
        finish(ExchangeOutcome(request: request, error: .explicitlyCancelled))
        core.cancel(self)
    }

    /// The loop has let a cancelled request go.
    func exchangeCancelled(_ outcome: ExchangeOutcome) {}
}

// Sendable: everything stored is immutable or behind a lock, and the only subclasses, all of this module, store nothing
// else.
extension Request: @unchecked Sendable {}

extension Request: Hashable {
    /// Requests are equal only to themselves.
    public static func == (left: Request, right: Request) -> Bool { left === right }

    /// Feeds what tells this request from others.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
