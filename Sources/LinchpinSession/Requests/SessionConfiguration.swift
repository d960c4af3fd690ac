package import Foundation
public import LinchpinTrust

/// What holds for every request of a session.
public struct SessionConfiguration: Sendable {
    /// Which version of HTTP is spoken.
    public enum HTTPVersion: Sendable {
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2 where a TLS server agrees to it (ALPN), else HTTP/1.1.
        case http2
        /// HTTP/2 from the first byte over plain HTTP too, for servers that are known to speak it (RFC 9113 §3.3).
        case http2PriorKnowledge
    }

    /// Time-outs of requests that say nothing of their own.
    public var timeouts = Timeouts()
    /// Fields that every request gets, unless it has them already.
    public var headers = HTTPHeaders.default
    /// HTTP/2 where the server agrees, by default.
    public var httpVersion = HTTPVersion.http2
    /// How many redirects a request follows, 20 by default; 0 makes the redirect itself the response.
    public var maximumRedirects = 20
    /// Whether a redirect may lead from https to plain http to a host without a trust policy; false by default.
    public var allowsRedirectsToPlainHTTP = false
    /// Which requests go through which proxy; none by default, whatever the environment says.
    public var proxies = Proxies.none
    /// The one proxy that every request goes through, in place of ``proxies``; nil where they are not that.
    public var proxy: Proxy? {
        get { proxies == Proxies(http: proxies.http, https: proxies.http) ? proxies.http : nil }
        set { proxies = Proxies(http: newValue, https: newValue) }
    }
    /// How the names of hosts become addresses; by the system's resolver by default.
    public var resolution = NameResolution()
    /// The path of a Unix socket that every connection is made to, in place of a host's address; none by default. It
    /// goes with no proxy. Servers are judged as ever.
    public var unixSocketPath: String?
    /// The interface, such as `eth0`, or the address of this machine that connections are made from; the system's
    /// choice by default.
    public var networkInterface: String?
    /// Probes on connections that are silent; none by default.
    public var tcpKeepAlive: TCPKeepAlive?
    /// How many connections there are and how long they are kept.
    public var connections = ConnectionLimits()
    /// How large a response may be.
    public var responseLimits = ResponseLimits()
    /// How fast each transfer goes at the most; no limit by default.
    public var rateLimits = RateLimits()
    /// From how many bytes on a body waits, a second at the most, for the server to say `100 Continue` (RFC 9110
    /// §10.1.1), unless the request has an `Expect` field of its own; never by default.
    public var expectsContinueFrom: Int?
    /// What is shown to which host that asks for a certificate, over the identities of the table's policies; none by
    /// default. It is shown only to a server that was accepted.
    public var clientIdentities: ClientIdentities?
    /// How TLS is spoken; TLS 1.2 and 1.3 as OpenSSL is set up, by default.
    public var tlsSettings: TLSSettings?
    /// How TLS is spoken with some hosts, in place of ``tlsSettings``.
    public var hostTLSSettings: HostTLSSettings?
    /// Where cookies are kept: by default in a jar of the session's own, in memory.
    ///
    /// A `Cookie` field that a request has of its own is sent after the jar's, in one field with them.
    public var cookies = CookieStorage.memory
    /// How many connections to one host are open at once; no limit by default. HTTP/2 needs one.
    public var maximumConnectionsPerHost: Int?
    /// How many threads serve the session, 1 by default; each host is served by one of them. Less than 1 is 1.
    public var eventLoopCount = 1
    /// Where responses of data requests are kept, and taken from; nowhere by default.
    public var cache: ResponseCache?
    /// Whether a request starts with its first response handler, true by default; else with ``Request/resume()``.
    public var startRequestsImmediately = true
    /// Whether the table is there for proxies, and servers are judged by the system's roots.
    var judgesProxiesOnly = false
    /// How long each place is waited for that may know whether a certificate was revoked.
    var revocationTimeouts = Timeouts(connect: 5, idle: 5, request: 10)
    /// The session's clock, for the validity of certificates.
    package var now: @Sendable () -> Date = { Date() }

    /// Makes a configuration of the defaults.
    public init() {}

    /// What is shown to a host if it asks. Nothing is where the table that the host would have to pass is not asked.
    func clientIdentity(for url: ParsedURL, isProxy: Bool) -> ClientIdentity? {
        guard isProxy || !judgesProxiesOnly else { return nil }
        return clientIdentities?.identity(for: url.identity, port: url.port)
    }

    /// Whether a request may have to wait until another one's connection is free.
    var limitsConnections: Bool { maximumConnectionsPerHost != nil || connections.total != nil }
}

extension HTTPHeaders {
    /// What every request carries by default: `User-Agent` and `Accept-Language`. What can be decoded is announced by
    /// libcurl.
    public static let `default`: HTTPHeaders = [.defaultUserAgent, .defaultAcceptLanguage]
}
