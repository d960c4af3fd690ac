public import Foundation

/// How the names of hosts become addresses. It changes where a connection goes, never by which name a server is judged.
public struct NameResolution: Hashable, Sendable {
    /// Which addresses count.
    public enum IPVersion: Hashable, Sendable {
        /// Both, each tried while the other does not answer (RFC 8305).
        case any
        /// Only IPv4.
        case v4
        /// Only IPv6.
        case v6
    }

    /// The addresses of one host at one port, in place of what the system says.
    public struct Override: Hashable, Sendable {
        /// The host, as it stands in URLs.
        public var host: String
        /// The port.
        public var port: Int
        /// IPv4 or IPv6 addresses, the latter without brackets.
        public var addresses: [String]

        /// Names the addresses of a host. What is no host, port or address is an error of every request.
        public init(host: String, port: Int, addresses: [String]) {
            self.host = host
            self.port = port
            self.addresses = addresses
        }
    }

    /// Addresses in place of what the system says; none by default.
    public var overrides: [Override]
    /// Which addresses count; ``IPVersion/any`` by default.
    public var ipVersion: IPVersion
    /// For how many seconds an address is kept, 60 by default; 0 asks the system each time.
    public var cacheTime: TimeInterval

    /// The system's resolver, but for what is said.
    public init(overrides: [Override] = [], ipVersion: IPVersion = .any, cacheTime: TimeInterval = 60) {
        self.overrides = overrides
        self.ipVersion = ipVersion
        self.cacheTime = cacheTime
    }
}
