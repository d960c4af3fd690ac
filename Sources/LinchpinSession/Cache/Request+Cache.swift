internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import Synchronization

/// What an attempt has to do with the cache, from its beginning to its end.
struct CacheTicket: Sendable {
    let request: CacheableRequest
    /// What is validated; nil where nothing is.
    let stored: (response: StoredResponse, body: Data)?
    let sentAt: Date
}

extension DataRequest {
    /// Lets a handler say what of the response is kept in the session's cache, in the place of the session's. May be
    /// called once, before the request starts.
    @discardableResult
    public func cacheResponse(using handler: any CachedResponseHandler) -> Self {
        status.withLock { status in
            let extras = status.makeExtras()
            precondition(extras.cacheHandler == nil, "a request has one handler of its cached response")
            extras.cacheHandler = handler
        }
        return self
    }
}

extension Request {
    /// Begins an attempt, or answers it from the cache.
    func start(_ order: ExchangeOrder) {
        guard let cache = core.configuration.cache, usesCache, order.credential == nil else {
            return startInLoop(order)
        }
        core.workQueue.async { self.start(order, cache) }
    }

    private func start(_ order: ExchangeOrder, _ cache: ResponseCache) {
        let policy = order.request.cachePolicy
        guard let request = CacheableRequest(order.request, core: core) else {
            guard policy == .returnCacheDataDontLoad else { return startInLoop(order) }
            return end(order, with: Self.notCached(order.request))
        }
        let now = core.configuration.now()
        // Another attempt is made because what came was not good.
        let ignores = policy == .reloadIgnoringLocalCacheData || policy == .reloadIgnoringLocalAndRemoteCacheData
        let stored = ignores || order.attempt > 0 ? nil : cache.response(to: request)
        if let stored, Self.isUsable(stored.0, for: request, policy, now),
            let outcome = stored.0.outcome(stored.1, request: order.request)
        {
            return end(order, with: outcome)
        }
        guard policy != .returnCacheDataDontLoad else { return end(order, with: Self.notCached(order.request)) }
        var asked = order.request
        let validator = stored?.0.validator
        for (name, value) in validator ?? [:] { asked.setValue(value, forHTTPHeaderField: name) }
        let ticket = CacheTicket(request: request, stored: validator == nil ? nil : stored, sentAt: now)
        status.withLock { $0.makeExtras().cacheTicket = ticket }
        startInLoop(order.with(asked, conditions: (validator ?? [:]).map(\.key)))
    }

    private static func isUsable(
        _ stored: StoredResponse,
        for request: CacheableRequest,
        _ policy: URLRequest.CachePolicy,
        _ now: Date
    ) -> Bool {
        switch policy {
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad: true
        case .reloadRevalidatingCacheData: false
        default: stored.isFresh(for: request.directives, at: now)
        }
    }

    /// Ends an attempt that the loop has not seen.
    private func end(_ order: ExchangeOrder, with outcome: ExchangeOutcome) {
        status.withLock { $0.request = order.request }
        if let head = outcome.head { headObserver?(head) }
        attemptEnded(outcome, attempt: order.attempt)
    }

    private static func notCached(_ request: URLRequest) -> ExchangeOutcome {
        let message = "the response is not in the cache, and the request's cache policy forbids to ask the server"
        let error = TransportError(code: .notCached, curlCode: nil, message: message)
        return ExchangeOutcome(request: request, error: .sessionTaskFailed(error: error))
    }

    /// Whether a head says that what the cache has is good, and so is not the caller's response.
    func isValidation(_ head: ResponseHead) -> Bool {
        head.statusCode == 304 && status.withLock { $0.extras?.cacheTicket?.stored != nil }
    }

    /// The response in whose place a 304 came, and otherwise the outcome itself, which is kept.
    func throughCache(_ outcome: ExchangeOutcome, _ cache: ResponseCache) -> ExchangeOutcome {
        let ticket = status.withLock { status in
            defer { status.extras?.cacheTicket = nil }
            return status.extras?.cacheTicket
        }
        guard outcome.error == nil, let head = outcome.head, let url = outcome.request?.url else { return outcome }
        invalidate(cache, after: outcome.request, head)
        // After a redirect it is another URL's response, or came without what redirects leave behind; and after a
        // change of the table nobody knows which state let it in.
        guard let ticket, outcome.metrics?.redirectCount == 0,
            TrustState(of: url, core) == ticket.request.trust
        else { return outcome }
        let now = core.configuration.now()
        if let (stored, body) = ticket.stored, head.statusCode == 304 {
            let updated = stored.updated(
                from: head,
                to: ticket.request,
                requestTime: ticket.sentAt,
                responseTime: now
            )
            if let updated { cache.store(updated, body) } else { cache.remove(stored.url) }
            guard let request = outcome.request, var good = (updated ?? stored).outcome(body, request: request) else {
                return outcome
            }
            good.measured = outcome.measured
            return good
        }
        keep(outcome, head, ticket, now, cache)
        return outcome
    }

    private func keep(
        _ outcome: ExchangeOutcome,
        _ head: ResponseHead,
        _ ticket: CacheTicket,
        _ now: Date,
        _ cache: ResponseCache
    ) {
        // What is there is not the server's word any more, whether the new response may be kept or not.
        if (200..<500).contains(head.statusCode) { cache.remove(ticket.request.key) }
        let make: @Sendable (ResponseHead, Bool) -> StoredResponse? = { head, staysInMemory in
            StoredResponse(
                head,
                to: ticket.request,
                requestTime: ticket.sentAt,
                responseTime: now,
                staysInMemory: staysInMemory
            )
        }
        guard let stored = make(head, false), let body = outcome.data else { return }
        guard let handler = status.withLock({ $0.extras?.cacheHandler }) ?? core.cacheHandler else {
            return cache.store(stored, body)
        }
        let proposed = CachedURLResponse(response: head.response, data: body)
        handler.request(self, willCacheResponse: proposed) { kept in
            guard let kept, kept.storagePolicy != .notAllowed, let response = kept.response as? HTTPURLResponse else {
                return
            }
            var headers = head.headers
            if response !== head.response {
                headers = HTTPHeaders()
                for (name, value) in response.allHeaderFields { headers.append(name: "\(name)", value: "\(value)") }
            }
            let staysInMemory = kept.storagePolicy == .allowedInMemoryOnly
            guard let stored = make(ResponseHead(response: response, headers: headers), staysInMemory) else { return }
            cache.store(stored, kept.data)
        }
    }

    /// A method that changes something makes what is kept of the resource untrue (RFC 9111 §4.4).
    private func invalidate(_ cache: ResponseCache, after request: URLRequest?, _ head: ResponseHead) {
        let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"].contains(request?.httpMethod ?? "GET")
        guard !isSafe, (200..<400).contains(head.statusCode), let url = request?.url else { return }
        let others = ["Location", "Content-Location"].compactMap { head.headers.value(for: $0) }
            .compactMap { URL(string: $0, relativeTo: url)?.absoluteURL }
            .filter { $0.scheme == url.scheme && $0.host() == url.host() && $0.port == url.port }
        for target in [url] + others {
            var parts = URLComponents(url: target, resolvingAgainstBaseURL: true)
            parts?.fragment = nil
            if let key = parts?.string { cache.remove(key) }
        }
    }
}
