/// Which status codes a provider takes for a success.
///
/// Any other one makes the result a failure: ``ProviderError`` `.underlying` with the response, around `.statusCode`.
/// Stubs are held to the same.
public enum ValidationType: Hashable, Sendable {
    /// Every one.
    case none
    /// 200 to 299.
    case successCodes
    /// 200 to 399.
    case successAndRedirectCodes
    /// These; every one when there are none.
    case customCodes([Int])

    /// Whether the code is a success.
    public func accepts(_ statusCode: Int) -> Bool {
        switch self {
        case .none: true
        case .successCodes: (200..<300).contains(statusCode)
        case .successAndRedirectCodes: (200..<400).contains(statusCode)
        case .customCodes(let codes): codes.isEmpty || codes.contains(statusCode)
        }
    }
}
