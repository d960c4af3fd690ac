internal import Dispatch
internal import Foundation
public import FoundationNetworking
public import LinchpinTrust

/// Sends requests and judges every server before a byte of one leaves.
///
/// One thread and one pool of connections serve all requests of a session; sessions share nothing. Keep the session
/// as long as its requests: when it goes, they end with `.sessionDeinitialized`. Whoever awaits a response keeps it.
/// Safe to use from any thread.
///
/// ```swift
/// let manager = try ServerTrustManager(evaluators: [
///     "api.example.com": PublicKeyPinsTrustEvaluator(pins: ["sha256/…", "sha256/…"])
/// ])
/// let session = Session(serverTrustManager: manager)
/// let data = try await session.request("https://api.example.com/v1").serializingData().value
/// ```
public final class Session: Sendable {
    /// Changes a URL request before its parameters are encoded; called for each attempt.
    public typealias RequestModifier = @Sendable (inout URLRequest) throws -> Void

    let core: SessionCore

    /// What holds for every request.
    public var configuration: SessionConfiguration { core.configuration }

    /// Which evaluator judges which host; nil judges every host by the system's roots.
    public var serverTrustManager: ServerTrustManager? { core.manager }

    /// Whether something of the session's own changes requests, or says which are sent again.
    package var hasInterceptor: Bool { core.hasInterceptor }

    /// Makes a session and starts its threads.
    ///
    /// - Parameters:
    ///   - configuration: what holds for every request.
    ///   - interceptor: changes every request, and says which are sent again; after the request's own.
    ///   - serverTrustManager: which evaluator judges which host; nil, the default, judges every host by the
    ///     system's roots.
    ///   - redirectHandler: says where redirects lead, for requests without a handler of their own; nil follows them.
    ///   - cachedResponseHandler: says what of a response is kept in the configuration's cache, for requests without a
    ///     handler of their own; nil keeps what may be kept.
    ///   - eventMonitors: told about every step of requests, each on its own queue.
    ///
    /// Where libcurl is too old or not built on OpenSSL, or the system gives no descriptors, every request ends with
    /// `.sessionInvalidated` and that reason.
    public init(
        configuration: SessionConfiguration = SessionConfiguration(),
        interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cachedResponseHandler: (any CachedResponseHandler)? = nil,
        eventMonitors: [any EventMonitor] = []
    ) {
        core = SessionCore(
            configuration: configuration.forOneSession,
            manager: serverTrustManager,
            interceptor: interceptor,
            redirectHandler: redirectHandler,
            cacheHandler: cachedResponseHandler,
            monitors: eventMonitors
        )
        core.belongs(to: self)
    }

    deinit { core.stop(with: .sessionDeinitialized) }

    /// Ends every request with `.sessionInvalidated`, closes every connection and waits until the session's threads
    /// have ended. Later requests end with the same error.
    public func invalidate() async { await core.stopAndWait(with: .sessionInvalidated(error: nil)) }

    /// Cancels every request that has begun and not ended.
    public func cancelAllRequests() {
        for request in core.requests { request.cancel() }
    }

    /// Calls back with every request that has begun and not ended, on the calling thread.
    public func withAllRequests(perform action: (Set<Request>) -> Void) { action(Set(core.requests)) }
}

// MARK: - Data

extension Session {
    /// A request for a URL.
    ///
    /// - Parameters:
    ///   - convertible: the URL, `http` or `https`.
    ///   - method: GET by default.
    ///   - parameters: what `encoding` puts into the query or the body; nothing by default.
    ///   - encoding: ``URLEncoding/default`` by default.
    ///   - headers: fields of this request, over the session's.
    ///   - timeouts: time-outs of this request, over the session's.
    ///   - interceptor: changes this request, before the session's interceptor.
    ///   - requestModifier: changes the URL request before the parameters are encoded.
    public func request(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        let isPlain = method == .get && parameters == nil && headers == nil && requestModifier == nil
        if isPlain, type(of: encoding) == URLEncoding.self, let text = convertible as? String {
            let request = PlainRequest(text: text, recent: core.recentRequests)
            let options =
                timeouts == nil && interceptor == nil
                ? RequestOptions.plain
                : RequestOptions(timeouts: timeouts, interceptor: interceptor, isPlain: true)
            return DataRequest(request, options: options, session: self)
        }
        let request = EncodedRequest(convertible, method, parameters, encoding, headers, requestModifier)
        return self.request(request, timeouts: timeouts, interceptor: interceptor)
    }

    /// A request of the caller's making.
    ///
    /// - Parameters:
    ///   - convertible: a `URLRequest`, or what makes one when the request starts. A `timeoutInterval` other than
    ///     Foundation's default of 60 seconds is taken for the idle time-out.
    ///   - timeouts: time-outs of this request, over the session's.
    ///   - interceptor: changes this request, before the session's interceptor.
    public func request(
        _ convertible: any URLRequestConvertible,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil
    ) -> DataRequest {
        DataRequest(convertible, options: options(timeouts, interceptor), session: self)
    }

    func options(_ timeouts: Timeouts?, _ interceptor: (any RequestInterceptor)?) -> RequestOptions {
        if timeouts == nil, interceptor == nil { return .none }
        return RequestOptions(timeouts: timeouts, interceptor: interceptor)
    }
}
