/// Where a provider's request stands. A value without input or output: its events say what is to be done, and by that
/// exactly one of them ends the request.
struct CallState {
    /// What a cancellation asks for.
    enum Cancellation {
        /// Nothing: the request has ended, or ends by itself as soon as the plugins have seen it.
        case nothing
        /// Tell the caller; plugins know nothing of the request.
        case end
        /// End the transfer and tell plugins and caller.
        case abort
    }

    private enum Phase {
        case mapping
        case preparing
        case sent
        /// Answered, and to be sent once more when a plugin says so.
        case waiting
        case ended
    }

    private var phase = Phase.mapping
    private(set) var isCancelled = false

    /// A request was made of the endpoint. False when it is of no interest any more.
    mutating func mapped() -> Bool { move(from: .mapping, to: .preparing) }

    /// No request could be made of the endpoint. True when the caller is to be told.
    mutating func mappingFailed() -> Bool { move(from: .mapping, to: .ended) }

    /// Whether an answer is waited for.
    var isSent: Bool { phase == .sent }

    /// The plugins have seen the request. False when it was cancelled meanwhile: the caller is to be told.
    mutating func prepared() -> Bool {
        guard !isCancelled else {
            phase = .ended
            return false
        }
        return move(from: .preparing, to: .sent)
    }

    /// The plugins could not make the request. True when the caller is to be told.
    mutating func preparingFailed() -> Bool { move(from: .preparing, to: .ended) }

    /// An answer came. True when the caller is to be told.
    mutating func answered() -> Bool { move(from: .sent, to: .ended) }

    /// An answer came after which a plugin may want the request sent again. False when the answer is of no interest.
    mutating func suspended() -> Bool { move(from: .sent, to: .waiting) }

    /// The request is to be sent again. False when it was cancelled meanwhile.
    mutating func replayed() -> Bool { move(from: .waiting, to: .preparing) }

    /// The request cannot be sent again. True when the caller is to be told.
    mutating func replayFailed() -> Bool { move(from: .waiting, to: .ended) }

    /// The caller cancels.
    mutating func cancel() -> Cancellation {
        isCancelled = true
        if move(from: .mapping, to: .ended) || move(from: .waiting, to: .ended) { return .end }
        return move(from: .sent, to: .ended) ? .abort : .nothing
    }

    private mutating func move(from old: Phase, to new: Phase) -> Bool {
        guard phase == old else { return false }
        phase = new
        return true
    }
}
