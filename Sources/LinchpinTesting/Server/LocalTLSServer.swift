public import Foundation

/// A server on loopback that speaks TLS and HTTP/1.1, to test clients against.
///
/// ```swift
/// let authority = try LocalCertificateAuthority()
/// let server = try LocalTLSServer(identity: authority.issue()) { request in
///     .text("you asked for \(request.path)")
/// }
/// // … let a client ask server.url(host: "localhost", path: "/hello") …
/// #expect(server.log.requests.map(\.path) == ["/hello"])
/// ```
///
/// It listens on a port that the system chooses as soon as it is made, until ``stop()`` or until it is let go. What
/// reaches it is in ``log``: every handshake with its alert, and every byte of HTTP. It is made of blocking threads,
/// one per connection, for tests and not for the world.
public final class LocalTLSServer: Sendable {
    /// The port.
    public let port: UInt16
    private let core: ServerCore

    /// Listens with TLS, or without if the configuration says so.
    ///
    /// - Parameters:
    ///   - identity: what it presents; see ``ServerIdentity/presenting(_:)`` for chains that are wrong.
    ///   - configuration: TLS versions, resumption, client certificates and faults.
    ///   - handler: answers each request, on the connection's thread.
    /// - Throws: ``TestingError`` with code `identityUnusable` or `serverUnavailable`.
    public convenience init(
        identity: ServerIdentity,
        configuration: Configuration = .init(),
        handler: @escaping @Sendable (Request) -> Response = { _ in Response() }
    ) throws(TestingError) {
        switch configuration.security {
        case .tls: try self.init(PresentedIdentity(identity), configuration, handler)
        case .plain: try self.init(nil, configuration, handler)
        }
    }

    /// Listens for plain HTTP.
    ///
    /// - Throws: ``TestingError`` with code `serverUnavailable`.
    public static func plain(
        configuration: Configuration = .init(),
        handler: @escaping @Sendable (Request) -> Response = { _ in Response() }
    ) throws(TestingError) -> LocalTLSServer {
        var configuration = configuration
        configuration.security = .plain
        return try LocalTLSServer(nil, configuration, handler)
    }

    private init(
        _ identity: PresentedIdentity?,
        _ configuration: Configuration,
        _ handler: @escaping @Sendable (Request) -> Response
    ) throws(TestingError) {
        let listener = try Listener(configuration.address)
        port = listener.port
        core = try ServerCore(port: port, configuration: configuration, identity: identity, handler: handler)
        try core.start(listener)
    }

    deinit { core.stop() }

    /// `https://localhost:port/`, `http` without TLS, and `[::1]` where that is its address.
    public var url: URL { url(host: core.configuration.address == .ipv4 ? "localhost" : "::1") }

    /// A URL of this server under another host name or address.
    ///
    /// - Parameters:
    ///   - host: a name or an address; IPv6 with or without brackets.
    ///   - path: from its `/` on, with a query if there is one, percent-encoded.
    /// - Precondition: both make a URL; what does not is a mistake in the test that asks.
    public func url(host: String, path: String = "/") -> URL {
        let scheme = core.tls == nil ? "http" : "https"
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        guard let url = URL(string: "\(scheme)://\(host):\(port)\(path)") else {
            preconditionFailure("\"\(host)\" and \"\(path)\" make no URL; percent-encode the path")
        }
        return url
    }

    /// Presents another identity in handshakes from now on. TLS sessions that were begun can still be resumed.
    ///
    /// - Throws: ``TestingError`` with code `identityUnusable`; the old one is presented further.
    public func replaceIdentity(_ identity: ServerIdentity) throws(TestingError) {
        precondition(core.tls != nil, "a server of plain HTTP presents no identity")
        core.identity = try PresentedIdentity(identity)
    }

    /// Lets connections that are accepted from now on go wrong before any HTTP, or no longer.
    public func setConnectionFault(_ fault: Configuration.ConnectionFault?) { core.connectionFault = fault }

    /// What it has seen so far.
    public var log: Log { core.recorder.current }

    /// Waits until the log is as wanted.
    ///
    /// - Returns: whether it was within the time.
    public func waitUntil(timeout seconds: Double = 5, _ condition: (Log) -> Bool) -> Bool {
        core.recorder.wait(seconds: seconds, condition)
    }

    /// Ends all connections and threads, and frees the port.
    ///
    /// It waits for them, and so for handlers that are running; called by a handler it does not wait. The log stays.
    public func stop() { core.stop() }
}
