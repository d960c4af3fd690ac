/// A type that has a value for a response without a body.
public protocol EmptyResponse {
    /// The value for no body.
    static func emptyValue() -> Self
}

/// The value of a response that has no body.
public struct Empty: Codable, Hashable, Sendable {
    /// The only value.
    public static let value = Empty()

    /// Makes the value.
    public init() {}
}

extension Empty: EmptyResponse {
    /// The only value.
    public static func emptyValue() -> Empty { value }
}
