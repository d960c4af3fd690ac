public import Foundation

/// How long the steps of a request may take, in seconds; fractions count to the millisecond.
///
/// A nil leaves the value to the session, and there to the default.
public struct Timeouts: Hashable, Sendable {
    /// Which time-out it is.
    public enum Kind: String, Hashable, Sendable {
        /// Name resolution, TCP and TLS.
        case connect
        /// A TLS handshake.
        case tls
        /// From the request to the response's first byte.
        case firstByte
        /// No byte in either direction once the connection stands.
        case idle
        /// The whole request with its redirects.
        case request
        /// The whole request with every attempt that a retrier makes of it.
        case resource
    }

    /// For name resolution, TCP and TLS together, of each connection; 10 seconds by default.
    public var connect: TimeInterval?
    /// For a TLS handshake, from the moment at which TCP is connected, within ``connect``; none by default. The handshake
    /// with an HTTPS proxy has as long, what is said to the proxy before the next handshake included.
    public var tls: TimeInterval?
    /// From the last byte of the request to the first of the response, of each hop of a redirect; none by default. An
    /// interim response (1xx) starts it anew. ``idle`` counts meanwhile, too.
    public var firstByte: TimeInterval?
    /// Between two bytes in either direction, once the connection stands; 60 seconds by default.
    public var idle: TimeInterval?
    /// For the whole request with its redirects, from its start; none by default.
    public var request: TimeInterval?
    /// For the request with every attempt that a retrier makes of it, from its start; none by default.
    public var resource: TimeInterval?

    /// Makes time-outs.
    public init(
        connect: TimeInterval? = nil,
        tls: TimeInterval? = nil,
        firstByte: TimeInterval? = nil,
        idle: TimeInterval? = nil,
        request: TimeInterval? = nil,
        resource: TimeInterval? = nil
    ) {
        self.connect = connect
        self.tls = tls
        self.firstByte = firstByte
        self.idle = idle
        self.request = request
        self.resource = resource
    }

    /// What holds where nothing was said.
    static let defaults = Timeouts(connect: 10, idle: 60)

    /// These, with what they leave open taken from others.
    func filled(from others: Timeouts) -> Timeouts {
        Timeouts(
            connect: connect ?? others.connect,
            tls: tls ?? others.tls,
            firstByte: firstByte ?? others.firstByte,
            idle: idle ?? others.idle,
            request: request ?? others.request,
            resource: resource ?? others.resource
        )
    }

    /// - Throws: ``SessionError`` for a value that is no positive number.
    func validate() throws(SessionError) {
        for value in [connect, tls, firstByte, idle, request, resource].compactMap({ $0 }) where !(value > 0) {
            throw .urlRequestValidationFailed(reason: .invalidTimeout(value))
        }
    }
}
