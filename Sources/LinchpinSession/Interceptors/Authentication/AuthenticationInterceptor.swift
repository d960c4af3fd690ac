internal import Foundation
public import FoundationNetworking
internal import Synchronization

/// Authenticates requests with a credential, and refreshes it once for however many requests it fails.
///
/// - A request is sent with the credential, if that does not need a refresh; else it waits for one.
/// - A request that the server refuses for its credential waits for a refresh and is sent again. While a refresh runs
///   no other begins, and every request waits for it.
/// - One that was sent with an older credential than the one in force is sent again at once, without a refresh.
/// - Where a refresh fails, every request that waits for it ends with that error.
///
/// The server's refusal has to be an error, which validation makes of it. A refusal that came from another origin than
/// the request's, after a redirect, is left alone: the credential did not go there.
///
/// ```swift
/// let interceptor = AuthenticationInterceptor(authenticator: OAuth(), credential: stored)
/// let session = Session(interceptor: interceptor)
/// ```
public final class AuthenticationInterceptor<AuthenticatorType: Authenticator>: RequestInterceptor {
    /// What authenticates requests.
    public typealias Credential = AuthenticatorType.Credential
    /// How often the credential may be refreshed.
    public typealias RefreshWindow = LinchpinSession.RefreshWindow

    private let authenticator: AuthenticatorType
    private let state: Mutex<RefreshState<Credential>>
    private let now: @Sendable () -> TimeInterval

    /// Makes an interceptor, for one session or several.
    ///
    /// - Parameters:
    ///   - authenticator: applies and refreshes credentials.
    ///   - credential: the one in force; without one every request ends with `.missingCredential`.
    ///   - refreshWindow: how often the credential may be refreshed, 5 times in 30 seconds by default; nil for no limit.
    public convenience init(
        authenticator: AuthenticatorType,
        credential: Credential? = nil,
        refreshWindow: RefreshWindow? = RefreshWindow()
    ) {
        self.init(
            authenticator: authenticator,
            credential: credential,
            refreshWindow: refreshWindow,
            now: { TimeInterval(Poller.now()) / 1_000_000_000 }
        )
    }

    init(
        authenticator: AuthenticatorType,
        credential: Credential?,
        refreshWindow: RefreshWindow?,
        now: @escaping @Sendable () -> TimeInterval
    ) {
        self.authenticator = authenticator
        self.now = now
        state = Mutex(RefreshState(credential: credential, window: refreshWindow))
    }

    /// The credential in force.
    ///
    /// Setting it ends the wait of requests that wait for a refresh, with it or, for nil, with `.missingCredential`;
    /// what that refresh brings later is ignored.
    public var credential: Credential? {
        get { state.withLock { $0.credential } }
        set { tell(state.withLock { $0.replace(with: newValue) }) }
    }

    /// Puts the credential into the request, as soon as there is one that needs no refresh.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        want(for: session, isGood: { !$0.requiresRefresh }) { [authenticator] result in
            completion(
                result.map { credential in
                    var authenticated = urlRequest
                    authenticator.apply(credential, to: &authenticated)
                    return authenticated
                }
            )
        }
    }

    /// Wants a request again that was refused for its credential, as soon as there is another one.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let urlRequest = request.request, let response = request.response,
            urlRequest.url?.hasSameOrigin(as: response.url) == true,
            authenticator.didRequest(urlRequest, with: response, failDueToAuthenticationError: error)
        else { return completion(.doNotRetry) }
        let authenticator = authenticator
        want(for: session, isGood: { !authenticator.isRequest(urlRequest, authenticatedWith: $0) }) { result in
            switch result {
            case .success: completion(.retry)
            case .failure(let error): completion(.doNotRetryWithError(error))
            }
        }
    }

    /// Calls back with a good credential, at once or after a refresh.
    private func want(
        for session: Session,
        isGood judge: (Credential) -> Bool,
        _ waiter: @escaping @Sendable (Result<Credential, any Error>) -> Void
    ) {
        let (version, credential) = state.withLock { ($0.version, $0.credential) }
        let isGood = credential.map(judge) ?? false
        let now = now()
        switch state.withLock({ $0.want(version: version, isGood: isGood, now: now, waiter) }) {
        case .lookAgain: want(for: session, isGood: judge, waiter)
        case .use(let credential): waiter(.success(credential))
        case .wait: break
        case .fail(let error): waiter(.failure(error))
        case .refresh(let credential, let number):
            authenticator.refresh(credential, for: session) { result in
                self.tell(self.state.withLock { $0.refreshed(number, result) })
            }
        }
    }

    private func tell(_ answer: RefreshState<Credential>.Answer) {
        for waiter in answer.waiters { waiter(answer.result) }
    }
}

extension URL {
    /// Whether scheme, host and port are the same (RFC 6454 §5); false where one of them has no host.
    fileprivate func hasSameOrigin(as other: URL?) -> Bool {
        guard let other, let mine = try? ParsedURL(self), let its = try? ParsedURL(other) else { return false }
        return mine.hasSameOrigin(as: its)
    }
}
