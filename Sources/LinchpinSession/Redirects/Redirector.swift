internal import Foundation
public import FoundationNetworking

/// Follows redirects, does not, or does what a closure says.
public struct Redirector: RedirectHandler {
    /// What is done with a redirect.
    public enum Behavior: Sendable {
        /// Send the proposed request.
        case follow
        /// Make the redirect the response.
        case doNotFollow
        /// Send what the closure makes of the proposed request; nil makes the redirect the response.
        case modify(@Sendable (Request, URLRequest, HTTPURLResponse) -> URLRequest?)
    }

    /// Follows every redirect.
    public static let follow = Redirector(behavior: .follow)
    /// Follows none.
    public static let doNotFollow = Redirector(behavior: .doNotFollow)

    /// What is done with a redirect.
    public let behavior: Behavior

    /// Makes a handler.
    public init(behavior: Behavior) { self.behavior = behavior }

    /// Does with the redirect what the behaviour says.
    public func request(
        _ request: Request,
        willBeRedirectedTo next: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void
    ) {
        switch behavior {
        case .follow: completion(next)
        case .doNotFollow: completion(nil)
        case .modify(let modify): completion(modify(request, next, response))
        }
    }
}

extension RedirectHandler where Self == Redirector {
    /// Follows every redirect.
    public static var follow: Redirector { .follow }

    /// Follows none.
    public static var doNotFollow: Redirector { .doNotFollow }

    /// Sends what the closure makes of the proposed request; nil makes the redirect the response.
    public static func modify(
        using closure: @escaping @Sendable (Request, URLRequest, HTTPURLResponse) -> URLRequest?
    ) -> Redirector {
        Redirector(behavior: .modify(closure))
    }
}
