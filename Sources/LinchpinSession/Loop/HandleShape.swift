internal import CLibcurl
internal import CLinchpin
internal import LinchpinTrust

/// What is set on a handle for whatever transfer comes: all that depends on the pool, the trust policy and the proxy, and
/// not on the request; lives on the loop's thread.
final class HandleShape {
    /// What tells shapes of a pool apart.
    struct Key: Equatable {
        let isSecure: Bool
        let version: SessionConfiguration.HTTPVersion
        /// Whether TLS servers are told of it by ALPN.
        let isOffered: Bool
        let proxy: Proxy?
        /// Of the server's policy; nil for plain HTTP.
        let server: Judgement?
        /// Of an HTTPS proxy's policy; nil where there is none.
        let proxyServer: Judgement?
    }

    /// What libcurl has to know of a policy.
    struct Judgement: Equatable {
        let tag: String
        let validatesHost: Bool

        init(_ policy: TrustPolicy) {
            tag = policy.tag
            validatesHost = policy.evaluator.validatesHost
        }
    }

    let key: Key

    init(_ key: Key) { self.key = key }

    /// What becomes of a handle that has this shape. With a proxy's credentials libcurl keeps what it has learned of the
    /// proxy's challenges.
    var afterUse: EasyHandle.AfterUse { key.proxy?.credentials == nil ? .kept : .reset }

    /// Gives this shape to a handle on which nothing is set.
    func apply(to easy: EasyHandle, in pool: ConnectionPool) throws(CurlFailure) {
        try easy.set(CURLOPT_NOSIGNAL, 1)
        try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try easy.set(CURLOPT_FOLLOWLOCATION, 0)
        // The environment's proxies are not asked; neither are .netrc, Alt-Svc and HSTS, which are off by default.
        try easy.set(CURLOPT_PROXY, key.proxy?.url ?? "")
        try easy.set(CURLOPT_NOPROXY, "")
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Cancelling must not wait for a resolver that hangs.
        try easy.set(CURLOPT_QUICK_EXIT, 1)
        // What it can decode it decodes. Fields of ours announce it: its own costs more to write than a field of a list.
        try easy.set(CURLOPT_ACCEPT_ENCODING, "")
        try setVersion(on: easy)
        try setProxyCredentials(on: easy)
        try pool.settings.apply(to: easy)
        try setTrust(on: easy, in: pool)
        try Hop.setCallbacks(on: easy)
        try pool.setSocketCallback(on: easy)
        easy.shape = self
    }

    private func setVersion(on easy: EasyHandle) throws(CurlFailure) {
        if !key.isOffered { try easy.set(CURLOPT_SSL_ENABLE_ALPN, 0) }
        // Requests wait for the first connection to tell whether it carries many. Over plain HTTP it tells so only
        // with its first response, for which nobody should wait.
        try easy.set(CURLOPT_PIPEWAIT, key.isSecure && key.version != .http1 ? 1 : 0)
        switch key.version {
        case .http1: try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        case .http2PriorKnowledge where !key.isSecure:
            try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE))
        case .http2, .http2PriorKnowledge: try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        }
    }

    private func setProxyCredentials(on easy: EasyHandle) throws(CurlFailure) {
        guard let credentials = key.proxy?.credentials else { return }
        // One scheme: where libcurl has the choice it sends a body to be thrown away, and squid then waits for another.
        let isDigest = credentials.scheme == .digest
        try easy.set(CURLOPT_PROXYAUTH, isDigest ? clinchpin_CURLAUTH_DIGEST() : clinchpin_CURLAUTH_BASIC())
        try easy.set(CURLOPT_SOCKS5_AUTH, clinchpin_CURLAUTH_BASIC())
        try easy.set(CURLOPT_PROXYUSERNAME, credentials.user)
        try easy.set(CURLOPT_PROXYPASSWORD, credentials.password)
    }

    /// The one place where TLS verification is configured.
    private func setTrust(on easy: EasyHandle, in pool: ConnectionPool) throws(CurlFailure) {
        try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        // libcurl compares the host a second time, except for a policy that was told to accept any name.
        try easy.set(CURLOPT_SSL_VERIFYHOST, key.server?.validatesHost == false ? 0 : 2)
        try easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // Libcurl's own anchors are no anchors at all. Their comment is the policy's tag,
        // which so becomes part of what connections and TLS sessions are looked up by (PITFALLS P3); and should our
        // callback ever be lost, nothing is trusted.
        try easy.set(CURLOPT_CAPATH, nil as String?)
        try easy.set(CURLOPT_CAINFO, nil as String?)
        try easy.set(CURLOPT_CAINFO_BLOB, borrowing: pool.anchorBlob(.server, tag: key.server?.tag))
        try easy.set(CURLOPT_CA_CACHE_TIMEOUT, 0)
        guard let proxyServer = key.proxyServer else { return }
        // The same for the TLS to an HTTPS proxy, which is judged as the proxy's host.
        try easy.set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
        try easy.set(CURLOPT_PROXY_SSL_VERIFYHOST, proxyServer.validatesHost ? 2 : 0)
        // The newest version is named to tell the layers apart (ConnectionJudges.settings).
        let versions = Int(CURL_SSLVERSION_TLSv1_2) | Int(CURL_SSLVERSION_MAX_TLSv1_3)
        try easy.set(CURLOPT_PROXY_SSLVERSION, versions)
        try easy.set(CURLOPT_PROXY_CAPATH, nil as String?)
        try easy.set(CURLOPT_PROXY_CAINFO, nil as String?)
        try easy.set(CURLOPT_PROXY_CAINFO_BLOB, borrowing: pool.anchorBlob(.proxy, tag: proxyServer.tag))
        // A resumed session with the proxy could not be looked at before the request goes out.
        try easy.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    }
}
