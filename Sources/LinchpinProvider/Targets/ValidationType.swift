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

    /// The codes that are a success; nil when every one is.
    var codes: Set<Int>? {
        switch self {
        case .none: nil
        case .successCodes: Set(200..<300)
        case .successAndRedirectCodes: Set(200..<400)
        case .customCodes(let codes): codes.isEmpty ? nil : Set(codes)
        }
    }

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
