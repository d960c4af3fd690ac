public import FoundationNetworking

/// Changes a request and calls back with it; see ``RequestAdapter``.
public typealias AdaptHandler =
    @Sendable (URLRequest, Session, _ completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) -> Void

/// Says whether a request that failed is sent again; see ``RequestRetrier``.
public typealias RetryHandler =
    @Sendable (Request, Session, any Error, _ completion: @escaping @Sendable (RetryResult) -> Void) -> Void

/// A closure that changes requests.
public final class Adapter: RequestInterceptor {
    private let handler: AdaptHandler

    /// Makes an adapter of a closure.
    public init(_ adaptHandler: @escaping AdaptHandler) { handler = adaptHandler }

    /// Calls the closure.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        handler(urlRequest, session, completion)
    }
}

/// A closure that says whether requests are sent again.
public final class Retrier: RequestInterceptor {
    private let handler: RetryHandler

    /// Makes a retrier of a closure.
    public init(_ retryHandler: @escaping RetryHandler) { handler = retryHandler }

    /// Calls the closure.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        handler(request, session, error, completion)
    }
}

extension RequestAdapter where Self == Adapter {
    /// An ``Adapter`` of a closure.
    public static func adapter(using closure: @escaping AdaptHandler) -> Adapter { Adapter(closure) }
}

extension RequestRetrier where Self == Retrier {
    /// A ``Retrier`` of a closure.
    public static func retrier(using closure: @escaping RetryHandler) -> Retrier { Retrier(closure) }
}

extension Interceptor {
    /// Both of closures.
    public convenience init(adaptHandler: @escaping AdaptHandler, retryHandler: @escaping RetryHandler) {
        self.init(adapter: Adapter(adaptHandler), retrier: Retrier(retryHandler))
    }

    /// One of each.
    public convenience init(adapter: any RequestAdapter, retrier: any RequestRetrier) {
        self.init(adapters: [adapter], retriers: [retrier])
    }
}

extension RequestInterceptor where Self == Interceptor {
    /// An ``Interceptor`` of closures.
    public static func interceptor(adapter: @escaping AdaptHandler, retrier: @escaping RetryHandler) -> Interceptor {
        Interceptor(adaptHandler: adapter, retryHandler: retrier)
    }

    /// An ``Interceptor`` of one of each.
    public static func interceptor(adapter: any RequestAdapter, retrier: any RequestRetrier) -> Interceptor {
        Interceptor(adapter: adapter, retrier: retrier)
    }

    /// An ``Interceptor`` of many; the interceptors come after the adapters and the retriers.
    public static func interceptor(
        adapters: [any RequestAdapter] = [],
        retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) -> Interceptor {
        Interceptor(adapters: adapters, retriers: retriers, interceptors: interceptors)
    }
}
