internal import Dispatch
package import FoundationNetworking
internal import Synchronization

/// Asked, on a queue where it may take its time, where a redirect leads: the response, what the session would send
/// next, and whom to tell what is sent instead, or nil to make the redirect itself the response.
package typealias RedirectDecider =
    @Sendable (Request, HTTPURLResponse, URLRequest, @escaping @Sendable (URLRequest?) -> Void) -> Void

extension Request {
    /// How the loop asks where a redirect leads, given its response, the next request and its number; nil follows it.
    func redirectDecision() -> ((HTTPURLResponse, URLRequest, Int) -> Void)? {
        guard let decider = status.withLock({ $0.redirectDecider }) ?? core.redirectDecider else { return nil }
        return { response, next, number in
            self.core.workQueue.async {
                decider(self, response, next) { self.core.redirectDecided(self, number: number, to: $0) }
            }
        }
    }
}
