public import FoundationNetworking

/// Puts fields into every request that has none of their names; see also ``SessionConfiguration/headers``.
///
/// Adapters run for each attempt of a request but not for redirects: to another origin no field goes along that could
/// be a credential.
public struct HeaderAdapter: RequestInterceptor {
    private let headers: @Sendable (URLRequest) throws -> HTTPHeaders

    /// Makes an adapter that puts in the same fields each time.
    public init(_ headers: HTTPHeaders) { self.init { _ in headers } }

    /// Makes an adapter that asks for the fields each time.
    ///
    /// - Parameters:
    ///   - headers: the fields for a request; an error ends it with `.requestAdaptationFailed`.
    public init(headers: @escaping @Sendable (URLRequest) throws -> HTTPHeaders) { self.headers = headers }

    /// The request with the fields.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        completion(Result { try urlRequest.filled(with: headers(urlRequest)) })
    }
}

extension HeaderAdapter: CustomStringConvertible, CustomReflectable {
    /// What it is; its fields may be secret.
    public var description: String { "HeaderAdapter" }

    /// Nothing: its fields may be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension URLRequest {
    /// The request with the fields that it has not got, of one name all.
    ///
    /// - Throws: ``SessionError`` `.urlRequestValidationFailed(.invalidHeader)`: Foundation would drop such a field, and
    ///   the request go out without it.
    func filled(with headers: HTTPHeaders) throws(SessionError) -> URLRequest {
        var filled = self
        for header in headers where value(forHTTPHeaderField: header.name) == nil {
            guard header.isSendable else {
                throw .urlRequestValidationFailed(reason: .invalidHeader(name: header.name))
            }
            filled.addValue(header.value, forHTTPHeaderField: header.name)
        }
        return filled
    }
}
