public import FoundationNetworking

/// Puts a token into every request that has no `Authorization` yet (RFC 6750 §2.1). No description shows the token.
///
/// The token is asked for each attempt, so that it may change; one that the server refuses is refreshed by an
/// ``AuthenticationInterceptor`` instead. It goes to every server that the session sends requests to, but not along
/// with a redirect to another origin.
///
/// ```swift
/// let session = Session(interceptor: BearerTokenAdapter { await store.token })
/// ```
public struct BearerTokenAdapter: RequestInterceptor {
    private let token: @Sendable () async throws -> String?

    /// Makes an adapter.
    ///
    /// - Parameters:
    ///   - token: the token; nil sends the request without one. An error ends it with `.requestAdaptationFailed`.
    public init(token: @escaping @Sendable () async throws -> String?) { self.token = token }

    /// The request with the token.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        guard urlRequest.value(forHTTPHeaderField: "Authorization") == nil else {
            return completion(.success(urlRequest))
        }
        Task {
            do {
                let fields: HTTPHeaders = try await token().map { ["Authorization": "Bearer \($0)"] } ?? [:]
                completion(.success(try urlRequest.filled(with: fields)))
            } catch {
                completion(.failure(error))
            }
        }
    }
}

extension BearerTokenAdapter: CustomStringConvertible, CustomReflectable {
    /// What it is; its closure may hold the token.
    public var description: String { "BearerTokenAdapter" }

    /// Nothing: its closure may hold the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
