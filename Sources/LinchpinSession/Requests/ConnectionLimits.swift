public import Foundation

/// How many connections there are and how long they are kept.
public struct ConnectionLimits: Hashable, Sendable {
    /// How many connections are open at once, to all hosts together; no limit by default. A request that finds none
    /// free waits for its turn. See also ``SessionConfiguration/maximumConnectionsPerHost``.
    public var total: Int?
    /// After how many idle seconds a connection is not used again; 118 by default, in whole seconds.
    public var idleAge: TimeInterval
    /// How many seconds after it was made a connection is not used again; no limit by default, in whole seconds.
    public var lifetime: TimeInterval?

    /// libcurl's limits, but for what is said.
    public init(total: Int? = nil, idleAge: TimeInterval = 118, lifetime: TimeInterval? = nil) {
        self.total = total
        self.idleAge = idleAge
        self.lifetime = lifetime
    }
}

/// Probes that tell a silent peer from a dead one, and keep routers from forgetting the connection (tcp(7)).
public struct TCPKeepAlive: Hashable, Sendable {
    /// After how many silent seconds the first probe is sent; 60 by default, in whole seconds.
    public var idle: TimeInterval
    /// How many seconds lie between probes; 60 by default, in whole seconds.
    public var interval: TimeInterval

    /// Sets both times.
    public init(idle: TimeInterval = 60, interval: TimeInterval = 60) {
        self.idle = idle
        self.interval = interval
    }
}
