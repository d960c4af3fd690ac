/// How fast each transfer goes at the most, in bytes a second on average; no limit by default.
public struct RateLimits: Hashable, Sendable {
    /// Of a response's body, as it comes over the network.
    public var receiving: Int?
    /// Of a request's body.
    public var sending: Int?

    /// Sets both limits.
    public init(receiving: Int? = nil, sending: Int? = nil) {
        self.receiving = receiving
        self.sending = sending
    }
}
