extension Session {
    /// Makes a session of what Foundation's configuration says of fields, time-outs, connections and cookies.
    ///
    /// Cookies are kept in a jar of the session's own, in memory, and nowhere if the configuration has no
    /// `httpCookieStorage`, accepts none or sends none; Foundation's own storage is not touched. Caches, proxies
    /// (`connectionProxyDictionary`) and what URLSession alone has are not taken over: set those of a
    /// `SessionConfiguration`.
    ///
    /// - Parameters:
    ///   - configuration: `timeoutIntervalForRequest` is the idle time-out, `timeoutIntervalForResource` that of the whole
    ///     request.
    ///   - rootQueue: has no effect: a session has threads of its own.
    ///   - startRequestsImmediately: whether a request starts with its first response handler, true by default.
    ///   - requestQueue: has no effect, like `rootQueue`.
    ///   - serializationQueue: has no effect, like `rootQueue`.
    ///   - interceptor: changes every request, and says which are sent again.
    ///   - serverTrustManager: which evaluator judges which host; nil, the default, judges every host by the
    ///     system's roots.
    ///   - redirectHandler: says where redirects lead; nil, the default, follows them.
    ///   - cachedResponseHandler: says what is kept in the cache, which a session made so has not got.
    ///   - eventMonitors: told about every step of requests.
    public convenience init(
        configuration: URLSessionConfiguration,
        rootQueue: DispatchQueue? = nil,
        startRequestsImmediately: Bool = true,
        requestQueue: DispatchQueue? = nil,
        serializationQueue: DispatchQueue? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: LinchpinTrust.ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cachedResponseHandler: (any CachedResponseHandler)? = nil,
        eventMonitors: [any EventMonitor] = []
    ) {
        self.init(
            configuration: SessionConfiguration(configuration, startRequestsImmediately),
            interceptor: interceptor,
            serverTrustManager: serverTrustManager,
            redirectHandler: redirectHandler,
            cachedResponseHandler: cachedResponseHandler,
            eventMonitors: eventMonitors
        )
    }

    /// Makes a session of Alamofire's default configuration.
    ///
    /// - Parameters:
    ///   - startRequestsImmediately: whether a request starts with its first response handler, true by default.
    ///   - interceptor: changes every request, and says which are sent again.
    ///   - serverTrustManager: which evaluator judges which host; nil judges every host by the system's roots.
    public convenience init(
        startRequestsImmediately: Bool,
        interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: LinchpinTrust.ServerTrustManager? = nil
    ) {
        self.init(
            configuration: .af.default,
            startRequestsImmediately: startRequestsImmediately,
            interceptor: interceptor,
            serverTrustManager: serverTrustManager
        )
    }

    /// The session's configuration in Foundation's form: a copy, which changes nothing of the session.
    public var sessionConfiguration: URLSessionConfiguration {
        let foundation = URLSessionConfiguration.default
        foundation.headers = configuration.headers
        if let idle = configuration.timeouts.idle { foundation.timeoutIntervalForRequest = idle }
        if let whole = configuration.timeouts.request { foundation.timeoutIntervalForResource = whole }
        if let most = configuration.maximumConnectionsPerHost { foundation.httpMaximumConnectionsPerHost = most }
        if case .none = configuration.cookies { foundation.httpCookieStorage = nil }
        return foundation
    }

    /// The session of ``AF``.
    public static let `default` = Session(configuration: .af.default)
}

extension SessionConfiguration {
    /// What Foundation's configuration says.
    fileprivate init(_ foundation: URLSessionConfiguration, _ startRequestsImmediately: Bool) {
        self.init()
        headers = foundation.headers
        timeouts.idle = foundation.timeoutIntervalForRequest
        timeouts.request = foundation.timeoutIntervalForResource
        self.startRequestsImmediately = startRequestsImmediately
        let usual = URLSessionConfiguration.default.httpMaximumConnectionsPerHost
        if foundation.httpMaximumConnectionsPerHost != usual {
            maximumConnectionsPerHost = foundation.httpMaximumConnectionsPerHost
        }
        let keepsCookies =
            foundation.httpCookieStorage != nil && foundation.httpCookieAcceptPolicy != .never
            && foundation.httpShouldSetCookies
        if !keepsCookies { cookies = .none }
    }
}

/// The shared session.
public let AF = Session.default
