public import Foundation
public import FoundationNetworking

/// What authenticates requests, such as an access token with the token that refreshes it.
public protocol AuthenticationCredential: Sendable {
    /// Whether it is known, before anything is sent, that the server would refuse it: a token that has expired, say.
    var requiresRefresh: Bool { get }
}

/// Puts credentials into requests and refreshes them, for an ``AuthenticationInterceptor``.
///
/// The methods are called on queues of the session's, where they may take their time, and from many requests at once.
public protocol Authenticator: AnyObject, Sendable {
    /// What authenticates requests.
    associatedtype Credential: AuthenticationCredential

    /// Puts the credential into the request.
    func apply(_ credential: Credential, to urlRequest: inout URLRequest)

    /// Fetches the credential that replaces one.
    ///
    /// - Parameters:
    ///   - credential: the one that is no longer good.
    ///   - session: the session of the request that needs it. A request that this method sends over it must not need
    ///     the same interceptor, for which it would wait for ever.
    ///   - completion: to be called once, on any thread; requests wait for it. What comes later is ignored.
    func refresh(
        _ credential: Credential,
        for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    )

    /// Whether the server refused the credential, usually with a 401.
    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool

    /// Whether the request carries this very credential, and not an older one.
    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool
}

/// Why an ``AuthenticationInterceptor`` gave up.
public enum AuthenticationError: Error, Hashable, Sendable {
    /// There is no credential.
    case missingCredential
    /// There were more refreshes in a short time than its window allows: the server refuses fresh credentials.
    case excessiveRefresh
}

extension AuthenticationError: CustomStringConvertible, LocalizedError {
    /// What went wrong, in one sentence.
    public var description: String {
        switch self {
        case .missingCredential: "there is no credential to authenticate the request with"
        case .excessiveRefresh: "the credential was refreshed too often in a short time, and is refused all the same"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
