internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import LinchpinTrust

/// A URL as libcurl reads it, handed to the transfer as it is: there is one reading of it.
final class ParsedURL {
    private let handle: URLHandle
    let isSecure: Bool
    /// The host in the form in which policies are looked up.
    let identity: ReferenceIdentity
    let port: Int
    /// The way there that was found last.
    var route: Route?

    /// - Throws: ``SessionError`` `.urlRequestValidationFailed` for what libcurl cannot read, for other schemes than
    ///   `http` and `https`, and for a host that is none.
    init(_ url: URL) throws(SessionError) {
        handle = try URLHandle()
        let pointer = handle.pointer
        // libcurl finds a host in `https:///path`, where Foundation finds none.
        guard url.host(percentEncoded: true)?.isEmpty == false else { throw Self.unsupported(url, "it has no host") }
        let text = url.absoluteString
        let code = curl_url_set(pointer, CURLUPART_URL, text, 0)
        guard code == CURLUE_OK else {
            throw Self.unsupported(url, String(cString: curl_url_strerror(code)))
        }
        // The fragment is never sent, and libcurl 7.88 resolves a redirect wrongly where there is one.
        curl_url_set(pointer, CURLUPART_FRAGMENT, nil, 0)
        let scheme = handle.part(CURLUPART_SCHEME)
        guard scheme == "https" || scheme == "http" else {
            throw Self.unsupported(url, "its scheme is neither https nor http")
        }
        guard let host = handle.part(CURLUPART_HOST, flags: UInt32(CURLU_PUNYCODE)),
            let port = handle.part(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) })
        else { throw Self.unsupported(url, "it has no host") }
        isSecure = scheme == "https"
        self.port = port
        do {
            identity = try ReferenceIdentity(host: host)
        } catch {
            throw Self.unsupported(url, error.reason)
        }
    }

    /// The URL of a proxy.
    convenience init(proxy: Proxy) throws(SessionError) {
        guard let url = proxy.httpURL, url.path.isEmpty, url.query == nil, url.fragment == nil, url.user == nil
        else {
            throw .urlRequestValidationFailed(reason: .unsupportedURL("the proxy \(proxy.host)", why: "it is no host"))
        }
        try self.init(url)
    }

    /// What the transfer is given; it lives as long as this.
    var pointer: OpaquePointer { handle.pointer }

    /// What the `Host` field says: the host, and the port if it is not the scheme's own.
    var hostField: String? {
        guard let host = handle.part(CURLUPART_HOST, flags: UInt32(CURLU_PUNYCODE)) else { return nil }
        return handle.part(CURLUPART_PORT, flags: UInt32(CURLU_NO_DEFAULT_PORT)).map { "\(host):\($0)" } ?? host
    }

    /// The path that is sent.
    var path: String? { handle.part(CURLUPART_PATH) }

    /// The query that is sent.
    var query: String? { handle.part(CURLUPART_QUERY) }

    /// Whether scheme, host and port are the same (RFC 6454 §5).
    func hasSameOrigin(as other: ParsedURL) -> Bool {
        isSecure == other.isSecure && identity == other.identity && port == other.port
    }

    /// The error without the URL's user, password and query, which may be secret.
    private static func unsupported(_ url: URL, _ why: String) -> SessionError {
        var shown = URLComponents(url: url, resolvingAgainstBaseURL: true)
        shown?.user = nil
        shown?.password = nil
        shown?.query = nil
        return .urlRequestValidationFailed(reason: .unsupportedURL(shown?.string ?? "the URL", why: why))
    }
}

/// The one owner of a libcurl URL.
final class URLHandle {
    let pointer: OpaquePointer

    init() throws(SessionError) {
        guard let pointer = curl_url() else {
            throw .sessionTaskFailed(error: CurlFailure(code: CURLE_OUT_OF_MEMORY).transportError)
        }
        self.pointer = pointer
    }

    deinit { curl_url_cleanup(pointer) }

    /// A part of the URL (curl_url_get(3)); nil where there is none.
    func part(_ what: CURLUPart, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(pointer, what, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
