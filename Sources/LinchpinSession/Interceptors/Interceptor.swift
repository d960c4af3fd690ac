public import FoundationNetworking

/// Several adapters and retriers as one.
///
/// The adapters change the request one after the other, and the first error ends it. Of the retriers the first that
/// does not answer `.doNotRetry` has it.
public final class Interceptor: RequestInterceptor {
    /// In the order in which they are called.
    public let adapters: [any RequestAdapter]
    /// In the order in which they are asked.
    public let retriers: [any RequestRetrier]

    /// Makes one of many; the interceptors come after the adapters and the retriers.
    public init(
        adapters: [any RequestAdapter] = [],
        retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }

    /// Lets each adapter change what the one before made.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, for: session, using: adapters[...], completion)
    }

    private func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        using rest: ArraySlice<any RequestAdapter>,
        _ completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        guard let first = rest.first else { return completion(.success(urlRequest)) }
        first.adapt(urlRequest, for: session) { result in
            switch result {
            case .success(let adapted): self.adapt(adapted, for: session, using: rest.dropFirst(), completion)
            case .failure: completion(result)
            }
        }
    }

    /// Asks each retrier until one wants something.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        retry(request, for: session, dueTo: error, asking: retriers[...], completion)
    }

    private func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        asking rest: ArraySlice<any RequestRetrier>,
        _ completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let first = rest.first else { return completion(.doNotRetry) }
        first.retry(request, for: session, dueTo: error) { result in
            guard case .doNotRetry = result else { return completion(result) }
            self.retry(request, for: session, dueTo: error, asking: rest.dropFirst(), completion)
        }
    }
}
