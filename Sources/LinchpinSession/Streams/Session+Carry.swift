package import Foundation
package import FoundationNetworking
internal import Synchronization

extension Session {
    /// A request that does the work of another client's task; it starts with ``Request/resume()``.
    ///
    /// - Parameters:
    ///   - request: what is sent.
    ///   - file: what is sent in the place of the request's body; nil for that body.
    ///   - timeouts: time-outs of this request, over the session's.
    ///   - decider: says where redirects lead.
    package func carry(
        _ request: URLRequest,
        file: URL?,
        timeouts: Timeouts,
        redirectDecider decider: @escaping RedirectDecider
    ) -> DataStreamRequest {
        let options = RequestOptions(timeouts: timeouts, startsImmediately: false, bodyFile: file)
        let carried = DataStreamRequest(request, options: options, session: self)
        carried.status.withLock { $0.makeExtras().closures.redirectDecider = decider }
        return carried
    }
}
