/// How a token is written into the `Authorization` field (RFC 9110 §11.6.2).
public enum AuthorizationType: Hashable, Sendable {
    /// `Basic`; the token is the Base64 of user and password.
    case basic
    /// `Bearer` (RFC 6750).
    case bearer
    /// Another scheme.
    case custom(String)

    /// The scheme as it is written.
    public var value: String {
        switch self {
        case .basic: "Basic"
        case .bearer: "Bearer"
        case .custom(let scheme): scheme
        }
    }
}
