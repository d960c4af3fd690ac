package import Foundation

/// What holds for every request of a session.
public struct SessionConfiguration: Sendable {
    /// Which version of HTTP is spoken.
    public enum HTTPVersion: Sendable {
        /// HTTP/1.1 only.
        case http1
        /// HTTP/2 where a TLS server agrees to it (ALPN), else HTTP/1.1.
        case http2
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
    /// The proxy that every request goes through; none by default, whatever the environment says.
    public var proxy: Proxy?
    /// How many connections to one host are open at once; no limit by default. HTTP/2 needs one.
    public var maximumConnectionsPerHost: Int?
    /// How many threads serve the session, 1 by default; each host is served by one of them. Less than 1 is 1.
    public var eventLoopCount = 1
    /// Where responses of data requests are kept, and taken from; nowhere by default.
    public var cache: ResponseCache?
    /// Whether a request starts with its first response handler, true by default; else with ``Request/resume()``.
    public var startRequestsImmediately = true
    /// The session's clock, for the validity of certificates.
    package var now: @Sendable () -> Date = { Date() }

    /// Makes a configuration of the defaults.
    public init() {}
}

extension HTTPHeaders {
    /// What every request carries by default: `User-Agent` and `Accept-Language`. What can be decoded is announced by
    /// libcurl.
    public static let `default`: HTTPHeaders = [.defaultUserAgent, .defaultAcceptLanguage]
}
