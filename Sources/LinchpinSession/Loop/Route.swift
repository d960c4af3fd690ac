internal import LinchpinTrust

/// What all hops to an origin have in common while the table stays as it is; lives on the loop's thread.
final class Route {
    /// The pool whose connections it uses.
    unowned let pool: ConnectionPool
    /// Tells the pool from others once it may be gone.
    let poolNumber: UInt32
    /// Who judges the server and the proxy. These look at connections that stand; each hop's handshakes get judges of
    /// their own, which keep what they refused.
    let judges: ConnectionJudges
    private let proxy: Proxy?
    private let isSecure: Bool
    private let shape: HandleShape

    init(to url: ParsedURL, in pool: ConnectionPool, judges: ConnectionJudges) {
        self.pool = pool
        self.judges = judges
        poolNumber = pool.number
        isSecure = url.isSecure
        proxy = pool.configuration.proxies.proxy(for: url)
        shape = pool.shape(Self.key(isSecure, pool.configuration.httpVersion.replaced(by: judges), proxy, judges))
    }

    /// The shape of the handles.
    func shape(needsOwnConnection: Bool) -> HandleShape {
        needsOwnConnection ? pool.shape(Self.key(isSecure, .http1, proxy, judges)) : shape
    }

    private static func key(
        _ isSecure: Bool,
        _ version: SessionConfiguration.HTTPVersion,
        _ proxy: Proxy?,
        _ judges: ConnectionJudges
    ) -> HandleShape.Key {
        HandleShape.Key(
            isSecure: isSecure,
            version: version,
            isOffered: judges.applicationProtocols != .notOffered,
            proxy: proxy,
            server: (judges.server?.policy).map(HandleShape.Judgement.init),
            proxyServer: (judges.proxy?.policy).map(HandleShape.Judgement.init)
        )
    }
}

extension ConnectionJudges {
    /// What the settings for the server say of ALPN; nil where they say nothing, and for plain HTTP.
    fileprivate var applicationProtocols: TLSSettings.ApplicationProtocols? {
        server?.policy.tlsSettings?.applicationProtocols
    }
}

extension SessionConfiguration.HTTPVersion {
    /// The version that a server is offered: the session's, unless the settings for the server say another one.
    fileprivate func replaced(by judges: ConnectionJudges) -> Self {
        switch judges.applicationProtocols {
        case .http1, .notOffered: .http1
        case .http2: .http2
        case nil: self
        }
    }
}
