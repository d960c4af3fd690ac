internal import CLibcurl
internal import Foundation
internal import LinchpinTrust

/// A proxy on the way to servers.
///
/// Requests to https hosts are tunnelled (CONNECT, RFC 9110 §9.3.6, or SOCKS): the proxy sees the host and port, the
/// server's certificate is judged as without a proxy. An HTTPS proxy's own certificate is judged as the proxy's host,
/// by the same table; it never speaks for the server. Requests to plain http hosts are read by an HTTP proxy whole.
public struct Proxy: Hashable, Sendable {
    /// How the proxy itself is spoken to.
    public enum Scheme: String, Hashable, Sendable {
        /// HTTP, without TLS.
        case http
        /// HTTP, with TLS.
        case https
        /// SOCKS 5 (RFC 1928); the proxy resolves the names of hosts, this machine asks for none.
        case socks5
    }

    /// What the proxy wants to know of its users.
    public struct Credentials: Hashable, Sendable {
        /// How an HTTP proxy is told; a SOCKS proxy gets them as RFC 1929 says.
        public enum Scheme: Hashable, Sendable {
            /// At once and readable (RFC 7617).
            case basic
            /// When the proxy has asked, by a digest of the password (RFC 7616); never readable, even if it asks so.
            case digest
        }

        /// The user's name.
        public var user: String
        /// The user's password.
        public var password: String
        /// How an HTTP proxy is told.
        public var scheme: Scheme

        /// Joins a name and a password; Basic by default.
        public init(user: String, password: String, scheme: Scheme = .basic) {
            self.user = user
            self.password = password
            self.scheme = scheme
        }
    }

    /// How the proxy itself is spoken to.
    public let scheme: Scheme
    /// The proxy's host: a name or an address.
    public let host: String
    /// The proxy's port.
    public let port: Int
    /// What the proxy wants to know of its users; nothing by default.
    ///
    /// > Warning: Basic and SOCKS send them readable; only an HTTPS proxy hides them from the network.
    public var credentials: Credentials?

    /// Names a proxy. What cannot be a host or a port is an error of every request.
    public init(scheme: Scheme = .http, host: String, port: Int, credentials: Credentials? = nil) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.credentials = credentials
    }

    /// Reads a proxy as the variable `https_proxy` names it: `[scheme://][user:password@]host[:port]`.
    ///
    /// The scheme is `http` where none is said, else `https`, `socks5` or `socks5h`, which both resolve names at the
    /// proxy. The port is 443 for https where none is said, and 1080 for the others. What libcurl reads is libcurl's
    /// to say (curl_url_set(3)).
    ///
    /// - Throws: ``SessionError`` `.urlRequestValidationFailed`; the text is not repeated in it.
    public init(url text: String) throws(SessionError) {
        let parts = try ProxyURL(text)
        scheme = parts.scheme
        host = parts.host
        port = parts.port ?? (parts.scheme == .https ? 443 : 1080)
        credentials = parts.user.map { Credentials(user: $0, password: parts.password ?? "") }
        try validate()
    }

    /// The proxy as libcurl takes it, without its credentials.
    var url: String { (scheme == .socks5 ? "socks5h" : scheme.rawValue) + "://\(authority)" }

    /// The proxy as a URL that is read as those of servers are.
    var httpURL: URL? { URL(string: (scheme == .https ? "https" : "http") + "://\(authority)") }

    private var authority: String {
        let isAddress = host.contains(":") && !host.hasPrefix("[")
        return "\(isAddress ? "[\(host)]" : host):\(port)"
    }

    /// - Throws: ``SessionError`` for what cannot be a host or a port, or credentials that would make another field.
    func validate() throws(SessionError) {
        _ = try ParsedURL(proxy: self)
        for text in [credentials?.user, credentials?.password].compactMap({ $0 })
        where text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw .urlRequestValidationFailed(
                reason: .unsupportedURL("the proxy \(host)", why: "its credentials have a control character")
            )
        }
        // Basic ends the name at the first colon (RFC 7617 §2).
        guard credentials?.user.contains(":") != true else {
            throw .urlRequestValidationFailed(
                reason: .unsupportedURL("the proxy \(host)", why: "its user's name has a colon")
            )
        }
    }
}

extension Proxy: CustomStringConvertible, CustomReflectable {
    /// Scheme, host and port; whether there are credentials, not which.
    public var description: String { url + (credentials == nil ? "" : " with credentials") }

    /// What ``description`` shows, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["proxy": description]) }
}

extension Proxy.Credentials: CustomStringConvertible, CustomReflectable {
    /// That they are not shown.
    public var description: String { Redaction.placeholder }

    /// What ``description`` shows, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["credentials": description]) }
}

/// The parts of a proxy's URL, as libcurl reads them.
private struct ProxyURL {
    let scheme: Proxy.Scheme
    let host: String
    let port: Int?
    let user: String?
    let password: String?

    init(_ text: String) throws(SessionError) {
        let handle = try URLHandle()
        let whole = text.contains("://") ? text : "http://\(text)"
        let code = curl_url_set(handle.pointer, CURLUPART_URL, whole, UInt32(CURLU_NON_SUPPORT_SCHEME))
        guard code == CURLUE_OK else { throw Self.unreadable(String(cString: curl_url_strerror(code))) }
        switch handle.part(CURLUPART_SCHEME) {
        case "http": scheme = .http
        case "https": scheme = .https
        case "socks5", "socks5h": scheme = .socks5
        default: throw Self.unreadable("its scheme is none of http, https, socks5 and socks5h")
        }
        guard let host = handle.part(CURLUPART_HOST) else { throw Self.unreadable("it has no host") }
        self.host = host
        port = handle.part(CURLUPART_PORT).flatMap { Int($0) }
        user = try Self.decoded(CURLUPART_USER, of: handle)
        password = try Self.decoded(CURLUPART_PASSWORD, of: handle)
    }

    /// A part with its percent-encoding undone; nil where there is none. libcurl decodes no control characters.
    private static func decoded(_ part: CURLUPart, of handle: URLHandle) throws(SessionError) -> String? {
        guard handle.part(part) != nil else { return nil }
        guard let text = handle.part(part, flags: UInt32(CURLU_URLDECODE)) else {
            throw unreadable("its credentials cannot be decoded")
        }
        return text
    }

    private static func unreadable(_ why: String) -> SessionError {
        .urlRequestValidationFailed(reason: .unsupportedURL("the proxy", why: why))
    }
}
