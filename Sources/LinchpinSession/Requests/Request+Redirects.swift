internal import Dispatch
package import FoundationNetworking
internal import LinchpinTrust
internal import Synchronization

/// Asked, on a queue where it may take its time, where a redirect leads: the response, what the session would send
/// next, and whom to tell what is sent instead, or nil to make the redirect itself the response.
package typealias RedirectDecider =
    @Sendable (Request, HTTPURLResponse, URLRequest, @escaping @Sendable (URLRequest?) -> Void) -> Void

extension Request {
    /// Lets a handler say where redirects lead, in the place of the session's. May be called once, before the request
    /// starts.
    @discardableResult
    public func redirect(using handler: any RedirectHandler) -> Self {
        status.withLock { status in
            let extras = status.makeExtras()
            precondition(
                extras.closures.redirectDecider == nil,
                "a request has one redirect handler; it was set before"
            )
            extras.closures.redirectDecider = handler.decider
        }
        return self
    }

    /// Has fetched what an evaluator needs to know.
    func learn(_ demands: [RevocationDemand], number: Int) { core.learn(demands, for: self, number: number) }

    /// How the loop asks where a redirect leads, given its response, the next request and its number; nil follows it.
    func redirectDecision() -> ((HTTPURLResponse, URLRequest, Int) -> Void)? {
        guard let decider = status.withLock({ $0.extras?.closures.redirectDecider }) ?? core.redirectDecider else {
            return nil
        }
        return { response, next, number in
            self.core.workQueue.async {
                decider(self, response, next) { self.core.redirectDecided(self, number: number, to: $0) }
            }
        }
    }
}
