internal import Foundation
public import FoundationNetworking

/// Says what of a response is kept in the session's ``ResponseCache``.
public protocol CachedResponseHandler: Sendable {
    /// Called on a queue of the session's for each response that may be kept.
    ///
    /// - Parameters:
    ///   - completion: to be called at most once, on any thread, with what is kept, or nil for nothing. Of its response
    ///     the fields count, and its storage policy.
    func request(
        _ request: Request,
        willCacheResponse response: CachedURLResponse,
        completion: @escaping @Sendable (CachedURLResponse?) -> Void
    )
}

/// Keeps responses, does not, or does what a closure says.
public struct ResponseCacher: CachedResponseHandler {
    /// What is done with a response.
    public enum Behavior: Sendable {
        /// Keep it.
        case cache
        /// Keep nothing.
        case doNotCache
        /// Keep what the closure makes of it; nil for nothing.
        case modify(@Sendable (Request, CachedURLResponse) -> CachedURLResponse?)
    }

    /// Keeps every response that may be kept.
    public static let cache = ResponseCacher(behavior: .cache)
    /// Keeps none.
    public static let doNotCache = ResponseCacher(behavior: .doNotCache)

    /// What is done with a response.
    public let behavior: Behavior

    /// Makes a handler.
    public init(behavior: Behavior) { self.behavior = behavior }

    /// Does with the response what the behaviour says.
    public func request(
        _ request: Request,
        willCacheResponse response: CachedURLResponse,
        completion: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        switch behavior {
        case .cache: completion(response)
        case .doNotCache: completion(nil)
        case .modify(let modify): completion(modify(request, response))
        }
    }
}

extension CachedResponseHandler where Self == ResponseCacher {
    /// Keeps every response that may be kept.
    public static var cache: ResponseCacher { .cache }

    /// Keeps none.
    public static var doNotCache: ResponseCacher { .doNotCache }

    /// Keeps what the closure makes of a response; nil for nothing.
    public static func modify(
        using closure: @escaping @Sendable (Request, CachedURLResponse) -> CachedURLResponse?
    ) -> ResponseCacher {
        ResponseCacher(behavior: .modify(closure))
    }
}
