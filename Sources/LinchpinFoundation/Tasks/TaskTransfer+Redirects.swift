internal import Foundation
internal import FoundationNetworking

extension TaskTransfer {
    /// Asks the task's delegate where a redirect leads; without one it is followed.
    ///
    /// - Parameters:
    ///   - next: what would be sent next.
    ///   - decide: told what is sent instead, or nil to make the redirect the response.
    func redirect(
        _ response: HTTPURLResponse,
        _ next: URLRequest,
        _ decide: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Whoever ended the task has ended the request too.
        guard speaker != nil else { return }
        cookies.store(from: response)
        var proposed = next
        cookies.remove(from: &proposed)
        guard let delegate = parts.delegate else { return decide(withCookies(proposed)) }
        let (session, task, proposal) = (parts.session, task, proposed)
        session.delegateQueue.addOperation {
            delegate.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: proposal) {
                chosen in
                self.parts.workQueue.async { decide(chosen.map(self.withCookies)) }
            }
        }
    }

    private func withCookies(_ request: URLRequest) -> URLRequest {
        var request = request
        cookies.prepare(&request)
        return request
    }
}
