internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import LinchpinTrust
internal import Synchronization

/// What a session and its requests share; it outlives the session for as long as a request needs it.
final class SessionCore: Sendable {
    let configuration: SessionConfiguration
    let manager: ServerTrustManager?
    let callbackQueue = DispatchQueue(label: "linchpin.session.callbacks")
    /// Where interceptors, validators and serializers run that were given no queue: many at a time, so that a slow
    /// one holds up its own request only.
    let workQueue = DispatchQueue(label: "linchpin.session.work", attributes: .concurrent)
    private let interceptor: (any RequestInterceptor)?
    /// Whether something of the session's own changes requests, or says which are sent again.
    let hasInterceptor: Bool
    /// Says where redirects lead, for requests that say nothing of their own; nil follows them.
    let redirectDecider: RedirectDecider?
    /// Tells the session from others that share a cache with it.
    let id = UUID()
    /// Says what is kept in the cache, for requests that say nothing of their own; nil keeps what may be kept.
    let cacheHandler: (any CachedResponseHandler)?
    /// Told of every request; in this order.
    let monitors: [any EventMonitor]
    /// Time-outs of requests without their own; the error makes every such request's.
    let timeouts: Result<FilledTimeouts, SessionError>
    let recentRequests = RecentRequests()
    private let loops: [EventLoop]
    private let weakSession = Mutex(WeakSession())
    private let fetcher: RevocationFetcher
    private let guarded = Mutex(Guarded())

    private struct WeakSession {
        weak var session: Session?
    }

    private struct Guarded {
        /// Requests that have begun and not ended.
        var requests = RunningRequests()
        var end: SessionError?
    }

    init(
        configuration: SessionConfiguration,
        manager: ServerTrustManager?,
        interceptor: (any RequestInterceptor)?,
        redirectHandler: (any RedirectHandler)?,
        cacheHandler: (any CachedResponseHandler)?,
        monitors: [any EventMonitor]
    ) {
        self.configuration = configuration
        self.manager = manager
        self.interceptor = interceptor
        hasInterceptor = interceptor != nil
        redirectDecider = redirectHandler?.decider
        self.cacheHandler = cacheHandler
        self.monitors = monitors
        timeouts = Result { () throws(SessionError) in try FilledTimeouts(Timeouts(), configuration) }
        fetcher = RevocationFetcher(configuration, manager, queue: workQueue)
        loops = (0..<max(configuration.eventLoopCount, 1)).map { _ in
            EventLoop(configuration: configuration, serverTrustManager: manager)
        }
    }

    /// The request's own interceptor before the session's.
    func interceptor(over own: (any RequestInterceptor)?) -> (any RequestInterceptor)? {
        guard let own, let interceptor else { return own ?? interceptor }
        return Interceptor(interceptors: [own, interceptor])
    }

    /// The session says so once, when it is made.
    func belongs(to session: Session) { weakSession.withLock { $0.session = session } }

    /// The session; nil once it is gone.
    var session: Session? { weakSession.withLock { $0.session } }

    /// The loop that serves the host of a request.
    func loop(of request: Request) -> EventLoop {
        guard loops.count > 1 else { return loops[0] }
        let host = request.request?.url?.host(percentEncoded: false)?.lowercased() ?? ""
        // FNV-1a: the same host has the same loop.
        let hash = host.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        return loops[Int(hash % UInt64(loops.count))]
    }

    func wake(_ request: Request) { loop(of: request).wake(request) }

    func cancel(_ request: Request) { loop(of: request).cancel(request) }

    /// Fetches what is demanded for the request's lesson of this number, and then tells its loop.
    func learn(_ demands: [RevocationDemand], for request: Request, number: Int) {
        fetcher.fetch(demands) { [self] in loop(of: request).learned(request, number: number) }
    }

    func redirectDecided(_ request: Request, number: Int, to next: URLRequest?) {
        loop(of: request).redirectDecided(request, number: number, to: next)
    }

    /// Notes a request that has begun; one that comes too late ends.
    func add(_ request: Request) {
        let end = guarded.withLock { guarded in
            if guarded.end == nil { guarded.requests.add(request) }
            return guarded.end
        }
        if let end { request.finish(ExchangeOutcome(error: end)) }
    }

    /// Forgets a request that has ended.
    func remove(_ request: Request) {
        guarded.withLock { $0.requests.remove(request) }
    }

    /// Whether the session has ended.
    var hasEnded: Bool { guarded.withLock { $0.end != nil } }

    /// The requests that have begun and not ended.
    var requests: [Request] { guarded.withLock { $0.requests.all } }

    /// Ends every request with `error` and then the threads; returns at once.
    func stop(with error: SessionError) {
        guarded.withLock { if $0.end == nil { $0.end = error } }
        for loop in loops { loop.stop(with: error) }
        fetcher.stop()
        // The loops end what they have; here are those that wait for an interceptor or for another attempt.
        for request in requests where !request.isInLoop { request.finish(ExchangeOutcome(error: error)) }
    }

    /// Does the same, and returns when the threads have ended.
    func stopAndWait(with error: SessionError) async {
        stop(with: error)
        for loop in loops { await loop.stopAndWait(with: error) }
        await fetcher.stop()?.invalidate()
    }
}
