internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import FoundationNetworking
internal import LinchpinTrust

extension Hop {
    /// Half of the buffer that libcurl takes by itself.
    private static let headWithoutBuffer = 32_768
    /// The largest that it can take.
    private static let largestBuffer = 2 << 20

    /// Sets everything that the transfer needs on a handle that holds nothing.
    func setOptions() throws(CurlFailure) {
        try check(clinchpin_easy_setopt_pointer(easy.pointer, CURLOPT_CURLU, UnsafeMutableRawPointer(url.pointer)))
        try easy.use(pool.store(usingCookies: exchange.request.httpShouldHandleCookies))
        try easy.set(CURLOPT_NOSIGNAL, 1)
        try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try easy.set(CURLOPT_FOLLOWLOCATION, 0)
        // The environment's proxies are not asked; neither are .netrc, Alt-Svc and HSTS, which are off by default.
        try easy.set(CURLOPT_PROXY, proxy?.url ?? "")
        try easy.set(CURLOPT_NOPROXY, "")
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Cancelling must not wait for a resolver that hangs.
        try easy.set(CURLOPT_QUICK_EXIT, 1)
        try setVersion()
        if let proxy { try setCredentials(of: proxy) }
        try pool.settings.apply(to: easy)
        if let connect = exchange.timeouts.connect {
            try easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(exactly: (connect * 1_000).rounded(.up)) ?? Int(Int32.max))
        }
        try setTrust()
        try setRequest()
        if let credential = exchange.credential, exchange.request.value(forHTTPHeaderField: "Authorization") == nil {
            try setCredential(credential)
        }
        try setCallbacks()
    }

    /// Whether a body is so large, or may be, that it waits for the server to ask for it.
    private var waitsForContinue: Bool {
        guard let least = pool.configuration.expectsContinueFrom, let body else { return false }
        return body.length.map { $0 >= least } ?? true
    }

    /// The proxy that the request goes through; nil for none.
    private var proxy: Proxy? { pool.configuration.proxies.proxy(for: url) }

    private func setVersion() throws(CurlFailure) {
        let version = exchange.owner.options.needsOwnConnection ? .http1 : pool.configuration.httpVersion
        // Requests wait for the first connection to tell whether it carries many. Over plain HTTP it tells so only
        // with its first response, for which nobody should wait.
        try easy.set(CURLOPT_PIPEWAIT, url.isSecure && version != .http1 ? 1 : 0)
        switch version {
        case .http1: try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        case .http2PriorKnowledge where !url.isSecure:
            try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE))
        case .http2, .http2PriorKnowledge: try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        }
    }

    private func setCredentials(of proxy: Proxy) throws(CurlFailure) {
        guard let credentials = proxy.credentials else { return }
        // One scheme: where libcurl has the choice it sends a body to be thrown away, and squid then waits for another.
        let isDigest = credentials.scheme == .digest
        try easy.set(CURLOPT_PROXYAUTH, isDigest ? clinchpin_CURLAUTH_DIGEST() : clinchpin_CURLAUTH_BASIC())
        try easy.set(CURLOPT_SOCKS5_AUTH, clinchpin_CURLAUTH_BASIC())
        try easy.set(CURLOPT_PROXYUSERNAME, credentials.user)
        try easy.set(CURLOPT_PROXYPASSWORD, credentials.password)
    }

    /// The one place where TLS verification is configured.
    private func setTrust() throws(CurlFailure) {
        try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        // libcurl compares the host a second time, except for a policy that was told to accept any name.
        try easy.set(CURLOPT_SSL_VERIFYHOST, judges.server?.policy.evaluator.validatesHost == false ? 0 : 2)
        try easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // Libcurl's own anchors are no anchors at all. Their comment is the policy's tag,
        // which so becomes part of what connections and TLS sessions are looked up by (PITFALLS P3); and should our
        // callback ever be lost, nothing is trusted.
        try easy.set(CURLOPT_CAPATH, nil as String?)
        try easy.set(CURLOPT_CAINFO, nil as String?)
        try easy.set(CURLOPT_CAINFO_BLOB, borrowing: pool.anchorBlob(.server, tag: judges.server?.policy.tag))
        try easy.set(CURLOPT_CA_CACHE_TIMEOUT, 0)
        if judges.proxy != nil { try setProxyTrust() }
        if connection == .fresh {
            try easy.set(CURLOPT_FRESH_CONNECT, 1)
            try easy.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        }
    }

    /// The same for the TLS to an HTTPS proxy, which is judged as the proxy's host.
    private func setProxyTrust() throws(CurlFailure) {
        try easy.set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
        try easy.set(CURLOPT_PROXY_SSL_VERIFYHOST, judges.proxy?.policy.evaluator.validatesHost == false ? 0 : 2)
        // The newest version is named to tell the layers apart (ConnectionJudges.settings).
        let versions = Int(CURL_SSLVERSION_TLSv1_2) | Int(CURL_SSLVERSION_MAX_TLSv1_3)
        try easy.set(CURLOPT_PROXY_SSLVERSION, versions)
        try easy.set(CURLOPT_PROXY_CAPATH, nil as String?)
        try easy.set(CURLOPT_PROXY_CAINFO, nil as String?)
        try easy.set(CURLOPT_PROXY_CAINFO_BLOB, borrowing: pool.anchorBlob(.proxy, tag: judges.proxy?.policy.tag))
        // A resumed session with the proxy could not be looked at before the request goes out.
        try easy.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    }

    private func setRequest() throws(CurlFailure) {
        switch method {
        case "GET": try easy.set(CURLOPT_HTTPGET, 1)
        case "HEAD": try easy.set(CURLOPT_NOBODY, 1)
        default:
            if body != nil || ["POST", "PUT", "PATCH"].contains(method) {
                try easy.set(CURLOPT_POST, 1)
                try easy.set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.map { Int($0.length ?? -1) } ?? 0)
            }
            try easy.set(CURLOPT_CUSTOMREQUEST, method)
        }
        try setHeaders()
    }

    /// Sends no `Expect` field when libcurl sends the request again after a 417 (RFC 9110 §15.5.18).
    ///
    /// libcurl sends it again for as long as it gets a 417, and leaves out only a field that is its own.
    func dropExpectation() throws(CurlFailure) {
        isExpecting = false
        exchange.request.setValue(nil, forHTTPHeaderField: "Expect")
        try setHeaders()
    }

    private func setHeaders() throws(CurlFailure) {
        var headerList = HeaderList()
        let fields = exchange.request.allHTTPHeaderFields ?? [:]
        if fields.isEmpty, body == nil, !exchange.sessionFields.isEmpty, method == "GET" || method == "HEAD" {
            try easy.set(CURLOPT_ACCEPT_ENCODING, "")
            return try pool.setSessionFields(on: easy)
        }
        var names: Set<String> = []
        var acceptEncoding = ""
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            names.insert(name.lowercased())
            switch name.lowercased() {
            case "accept-encoding": acceptEncoding = value
            // libcurl puts the jar's cookies and these into one field, of which there must not be two.
            case "cookie": try easy.set(CURLOPT_COOKIE, value)
            case "content-length", "transfer-encoding": continue
            default: try headerList.append(HTTPHeader(name: name, value: value))
            }
        }
        for header in exchange.sessionFields where !names.contains(header.name.lowercased()) {
            try headerList.append(header)
        }
        // An empty text announces everything that libcurl can decode; the caller's own choice is decoded as well.
        try easy.set(CURLOPT_ACCEPT_ENCODING, acceptEncoding)
        // libcurl would wait a second for `100 Continue` as it thinks fit, and call every body a form.
        if let body, body.length == nil {
            try headerList.append(HTTPHeader(name: "Transfer-Encoding", value: "chunked"))
        }
        if !names.contains("expect") {
            if isExpecting, waitsForContinue {
                try headerList.append(HTTPHeader(name: "Expect", value: "100-continue"))
            } else {
                try headerList.suppress("Expect")
            }
        }
        if !names.contains("content-type") { try headerList.suppress("Content-Type") }
        try easy.set(CURLOPT_HTTPHEADER, headerList)
        // libcurl 7.88 sends as much of a head at once as this buffer holds, and over TLS then waits for ever. Cookies and
        // the URL come on top.
        if headerList.byteCount > Self.headWithoutBuffer {
            try easy.set(CURLOPT_UPLOAD_BUFFERSIZE, min(headerList.byteCount + 65_536, Self.largestBuffer))
        }
        self.headerList = headerList
    }
}
