public import FoundationNetworking

/// Placeholder.
public struct URLEncoding: ParameterEncoding {
    /// The default.
    public static let `default` = URLEncoding()

    /// Encodes.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        try urlRequest.asURLRequest()
    }
}
