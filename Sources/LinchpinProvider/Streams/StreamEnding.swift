internal import Dispatch
internal import FoundationNetworking
internal import LinchpinSession
internal import Synchronization

/// The end of one attempt, which the plugins are told once: by whoever sees it, or because nobody reads any more.
final class StreamEnding: Sendable {
    private let work: CallWork
    private let sent: URLRequest
    private let request: DataStreamRequest?
    private let attempts: AttemptPreparation?
    private let isOver: StreamFlag

    /// - Parameters:
    ///   - sent: what the plugins made.
    ///   - attempts: what they make of the attempts that the session adds; nil where it adds none.
    ///   - isOver: raised by the end.
    init(
        _ work: CallWork,
        _ sent: URLRequest,
        _ request: DataStreamRequest?,
        _ attempts: AttemptPreparation?,
        isOver: StreamFlag
    ) {
        self.work = work
        self.sent = sent
        self.request = request
        self.attempts = attempts
        self.isOver = isOver
    }

    deinit { end(.failure(.cancelled)) }

    func end(_ outcome: CallWork.Outcome) {
        guard isOver.raise() else { return }
        request?.cancel()
        let outcome = outcome.validated(by: work.target.validationType)
        work.queue.async { [work, sent, attempts] in
            guard attempts?.isSeen != false else { return }
            work.tellPlugins(outcome, request: attempts?.sent ?? sent)
        }
    }
}

/// Something that happens once.
final class StreamFlag: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Whether this call was the one that raised it.
    func raise() -> Bool { !raised.exchange(true, ordering: .acquiringAndReleasing) }
}
