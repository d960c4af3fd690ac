internal import Foundation
public import FoundationNetworking

/// Says where redirects lead.
///
/// It is asked for each redirect that the session would follow, up to ``SessionConfiguration/maximumRedirects``, which
/// no handler exceeds; and not for one to where the session does not go. What it names is judged as its own host, like
/// every target. A target of plain HTTP after an https one is refused, unless the configuration allows it.
///
/// Credentials do not go to another origin: the session has taken them off the request that it proposes. Where a
/// handler names yet another origin than the proposed one, the session takes the proposed request's own credentials
/// off too; fields that the handler itself sets go out as they are.
public protocol RedirectHandler: Sendable {
    /// Called on a queue of the session's, where it may take its time; of the time-outs only those for the whole
    /// request and the resource pass meanwhile.
    ///
    /// - Parameters:
    ///   - request: whose redirect it is.
    ///   - next: what the session would send.
    ///   - response: the redirect, without its body.
    ///   - completion: to be called exactly once, on any thread, with what is sent, or nil to make the redirect itself
    ///     the response.
    func request(
        _ request: Request,
        willBeRedirectedTo next: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void
    )
}

extension RedirectHandler {
    /// The same as the session asks for it.
    var decider: RedirectDecider {
        { request, response, next, completion in
            self.request(request, willBeRedirectedTo: next, for: response, completion: completion)
        }
    }
}
