public import Foundation

/// How long the steps of a request may take, in seconds; fractions count to the millisecond.
///
/// A nil leaves the value to the session, and there to the default.
public struct Timeouts: Hashable, Sendable {
    /// Which time-out it is.
    public enum Kind: String, Hashable, Sendable {
        /// Name resolution, TCP and TLS.
        case connect
        /// No byte in either direction once the connection stands.
        case idle
        /// The whole request with its redirects.
        case request
        /// The whole request with every attempt that a retrier makes of it.
        case resource
    }

    /// For name resolution, TCP and TLS together, of each connection; 10 seconds by default.
    public var connect: TimeInterval?
    /// Between two bytes in either direction, once the connection stands; 60 seconds by default.
    public var idle: TimeInterval?
    /// For the whole request with its redirects, from its start; none by default.
    public var request: TimeInterval?
    /// For the request with every attempt that a retrier makes of it, from its start; none by default.
    public var resource: TimeInterval?

    /// Makes time-outs.
    public init(
        connect: TimeInterval? = nil,
        idle: TimeInterval? = nil,
        request: TimeInterval? = nil,
        resource: TimeInterval? = nil
    ) {
        self.connect = connect
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
            idle: idle ?? others.idle,
            request: request ?? others.request,
            resource: resource ?? others.resource
        )
    }

    /// - Throws: ``SessionError`` for a value that is no positive number.
    func validate() throws(SessionError) {
        for value in [connect, idle, request, resource].compactMap({ $0 }) where !(value > 0) {
            throw .urlRequestValidationFailed(reason: .invalidTimeout(value))
        }
    }
}
