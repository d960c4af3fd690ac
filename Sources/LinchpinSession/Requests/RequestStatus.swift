/// Where a request stands, and what each event makes of it. No input or output: a value.
struct RequestStatus {
    /// What the request is at, whatever the caller sees of it.
    enum Phase: Equatable {
        case idle
        /// The URL request is being made and adapted.
        case preparing
        /// The loop has it.
        case running
        /// The attempt has ended; validators, retriers and serializers look at it.
        case deciding
        /// Another attempt is due.
        case waiting
        case ended
    }

    /// What `resume()` has to do.
    enum Resumption: Equatable {
        case begin
        case goOn
        case nothing
    }

    private(set) var state = Request.State.initialized
    private(set) var phase = Phase.idle
    /// Which attempt it is, from 0. What comes from an earlier one is too late.
    private(set) var attempt = 0

    /// Whether somebody still wants the outcome.
    var isWanted: Bool { phase != .ended && state != .cancelled }

    mutating func resume() -> Resumption {
        guard isWanted, state == .initialized || state == .suspended else { return .nothing }
        state = .resumed
        guard phase == .idle else { return .goOn }
        phase = .preparing
        return .begin
    }

    /// - Returns: whether the loop has to know.
    mutating func suspend() -> Bool {
        guard isWanted, state == .initialized || state == .resumed else { return false }
        state = .suspended
        return phase != .idle
    }

    /// - Returns: whether the request was not over yet.
    mutating func cancel() -> Bool {
        guard isWanted else { return false }
        state = .cancelled
        return true
    }

    /// The URL request is made.
    ///
    /// - Returns: whether it is to be sent.
    mutating func prepared(attempt: Int) -> Bool { advance(attempt, from: [.preparing], to: .running) }

    /// The attempt has ended, in the loop or before it.
    ///
    /// - Returns: whether it counts.
    mutating func ended(attempt: Int) -> Bool { advance(attempt, from: [.preparing, .running], to: .deciding) }

    /// The retrier wants another attempt.
    ///
    /// - Returns: whether there is one.
    mutating func willRetry(attempt: Int) -> Bool { advance(attempt, from: [.deciding], to: .waiting) }

    /// The retrier wants no other attempt.
    ///
    /// - Returns: whether this is the first answer.
    mutating func willNotRetry(attempt: Int) -> Bool {
        isWanted && self.attempt == attempt && phase == .deciding
    }

    /// The next attempt begins.
    ///
    /// - Returns: its number; nil when nobody wants it.
    mutating func beginAttempt() -> Int? {
        guard isWanted, phase == .waiting else { return nil }
        attempt += 1
        phase = .preparing
        return attempt
    }

    /// The outcome is there.
    ///
    /// - Returns: whether it is the first.
    mutating func finish() -> Bool {
        guard phase != .ended else { return false }
        phase = .ended
        if state != .cancelled { state = .finished }
        return true
    }

    private mutating func advance(_ attempt: Int, from: [Phase], to: Phase) -> Bool {
        guard isWanted, self.attempt == attempt, from.contains(phase) else { return false }
        phase = to
        return true
    }
}
