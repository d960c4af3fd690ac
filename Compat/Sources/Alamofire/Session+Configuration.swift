extension Session {
    /// Makes a session of what Foundation's configuration says of fields, time-outs and connections. Cookies, caches,
    /// proxies and what URLSession alone has are not taken over.
    ///
    /// - Parameters:
    ///   - configuration: `timeoutIntervalForRequest` is the idle time-out, `timeoutIntervalForResource` that of the whole
    ///     request.
    ///   - startRequestsImmediately: whether a request starts with its first response handler, true by default.
    ///   - serverTrustManager: which evaluator judges which host; nil, the default, judges every host by the
    ///     system's roots.
    public convenience init(
        configuration: URLSessionConfiguration,
        startRequestsImmediately: Bool = true,
        serverTrustManager: LinchpinTrust.ServerTrustManager? = nil
    ) {
        var own = SessionConfiguration()
        own.headers = configuration.headers
        own.timeouts.idle = configuration.timeoutIntervalForRequest
        own.timeouts.request = configuration.timeoutIntervalForResource
        own.startRequestsImmediately = startRequestsImmediately
        let usual = URLSessionConfiguration.default.httpMaximumConnectionsPerHost
        if configuration.httpMaximumConnectionsPerHost != usual {
            own.maximumConnectionsPerHost = configuration.httpMaximumConnectionsPerHost
        }
        self.init(configuration: own, serverTrustManager: serverTrustManager)
    }

    /// The session's configuration in Foundation's form: a copy, which changes nothing of the session.
    public var sessionConfiguration: URLSessionConfiguration {
        let foundation = URLSessionConfiguration.default
        foundation.headers = configuration.headers
        if let idle = configuration.timeouts.idle { foundation.timeoutIntervalForRequest = idle }
        if let whole = configuration.timeouts.request { foundation.timeoutIntervalForResource = whole }
        if let most = configuration.maximumConnectionsPerHost { foundation.httpMaximumConnectionsPerHost = most }
        return foundation
    }

    /// The session of ``AF``.
    public static let `default` = Session(configuration: .af.default)
}

/// The shared session.
public let AF = Session.default
