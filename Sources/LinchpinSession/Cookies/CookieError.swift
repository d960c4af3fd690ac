/// A cookie that cannot be kept, or a jar's file that cannot be read or written.
public struct CookieError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong; no cookie's value is in it.
    public let reason: String

    /// The reason.
    public var description: String { reason }
}
