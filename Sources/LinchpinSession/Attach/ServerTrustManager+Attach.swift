public import LinchpinTrust

extension ServerTrustManager {
    /// Puts this manager's decision onto a libcurl easy handle, for clients that drive libcurl themselves.
    ///
    /// From then on every TLS connection that libcurl makes for the handle is judged inside the handshake as the host
    /// of the URL that the transfer is at, after redirects too; kept connections and resumed sessions are judged again
    /// before each request. `http` URLs are refused for hosts that have an evaluator. The hosts' names are always
    /// compared by libcurl too, even for an evaluator that was told to accept any name. HTTPS proxies are refused,
    /// since libcurl does not say which host they are.
    ///
    /// > Warning: Options that are set on the handle afterwards can undo this: `curl_easy_reset`, and every option of
    /// > `CURLOPT_SSL_…`, `CURLOPT_CAINFO…`, `CURLOPT_PREREQ…`. A copy by `curl_easy_duphandle` is refused: attach to
    /// > it anew before it runs, above all where the handle that it was copied from may be gone, and as after each ``replaceEvaluators(_:runningExchanges:)``.
    ///
    /// - Parameters:
    ///   - handle: a `CURL *` that no transfer runs on.
    /// - Returns: what has to be kept for as long as the handle is used.
    /// - Throws: ``SessionError`` `.sessionTaskFailed` when libcurl does not take an option, or `.sessionInvalidated`
    ///   when it is too old or not built on OpenSSL.
    public func attach(to handle: UnsafeMutableRawPointer) throws(SessionError) -> TrustAttachment {
        try TrustAttachment(manager: self, handle: handle)
    }
}
