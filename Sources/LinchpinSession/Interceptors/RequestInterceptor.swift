public import Foundation
public import FoundationNetworking

/// Changes requests before they are sent.
public protocol RequestAdapter: Sendable {
    /// Called for each attempt, on a queue of the session's where it may take its time.
    ///
    /// - Parameters:
    ///   - completion: to be called exactly once, on any thread; the request waits for it. Its error ends the attempt
    ///     with `.requestAdaptationFailed`.
    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    )
}

/// Says whether a request that failed is sent again.
public protocol RequestRetrier: Sendable {
    /// Called for each attempt that failed, on a queue of the session's where it may take its time.
    ///
    /// - Parameters:
    ///   - completion: to be called exactly once, on any thread; the request waits for it.
    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    )
}

/// Both an adapter and a retrier; what it does not implement changes nothing.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

/// What a retrier wants.
public enum RetryResult: Sendable {
    /// Send it again at once.
    case retry
    /// Send it again in so many seconds.
    case retryWithDelay(TimeInterval)
    /// Leave it at the error.
    case doNotRetry
    /// Leave it, and report this error beside the first.
    case doNotRetryWithError(any Error)
}

extension RequestInterceptor {
    /// Changes nothing.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest))
    }

    /// Sends nothing again.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(.doNotRetry)
    }
}
