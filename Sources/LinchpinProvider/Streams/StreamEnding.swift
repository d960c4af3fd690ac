internal import Dispatch
internal import FoundationNetworking
internal import LinchpinSession
internal import Synchronization

/// The end of one attempt, which the plugins are told once: by whoever sees it, or because nobody reads any more.
final class StreamEnding: Sendable {
    private let work: CallWork
    private let sent: URLRequest
    private let request: DataStreamRequest?
    private let hasEnded = Mutex(false)

    init(_ work: CallWork, _ sent: URLRequest, _ request: DataStreamRequest?) {
        self.work = work
        self.sent = sent
        self.request = request
    }

    deinit { end(.failure(.cancelled)) }

    func end(_ outcome: CallWork.Outcome) {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        request?.cancel()
        let outcome = outcome.validated(by: work.target.validationType)
        work.queue.async { [work, sent] in work.tellPlugins(outcome, request: sent) }
    }
}
