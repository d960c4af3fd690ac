/// A proxy that all requests of a session go through.
///
/// Requests to https hosts are tunnelled (CONNECT, RFC 9110 §9.3.6): the proxy sees the host and port, the server's
/// certificate is judged as without a proxy. An HTTPS proxy's own certificate is judged as the proxy's host, by the
/// same table; it never speaks for the server.
public struct Proxy: Hashable, Sendable {
    /// How the proxy itself is spoken to.
    public enum Scheme: String, Hashable, Sendable {
        /// Without TLS.
        case http
        /// With TLS.
        case https
    }

    /// How the proxy itself is spoken to.
    public let scheme: Scheme
    /// The proxy's host: a name or an address.
    public let host: String
    /// The proxy's port.
    public let port: Int

    /// Names a proxy. What cannot be a host or a port is an error of every request.
    public init(scheme: Scheme = .http, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// The proxy as libcurl takes it.
    var url: String {
        let isAddress = host.contains(":") && !host.hasPrefix("[")
        return "\(scheme.rawValue)://\(isAddress ? "[\(host)]" : host):\(port)"
    }
}
