internal import Foundation

/// Which credential is in force, whether another one is being fetched, and who waits for it. No input or output: a
/// value.
struct RefreshState<Credential: Sendable>: Sendable {
    /// What a waiter is told.
    typealias Waiter = @Sendable (Result<Credential, any Error>) -> Void

    /// Whom to tell what, outside the lock.
    struct Answer {
        let waiters: [Waiter]
        let result: Result<Credential, any Error>
    }

    /// What the credential's user has to do.
    enum Step {
        /// Go on with it.
        case use(Credential)
        /// Nothing: the waiter is told.
        case wait
        /// Fetch the one that replaces this one, under a number; the waiter is told.
        case refresh(Credential, number: Int)
        /// Give up.
        case fail(AuthenticationError)
        /// Look again: another credential is in force.
        case lookAgain
    }

    private(set) var credential: Credential?
    /// Grows with every credential that is put in force.
    private(set) var version = 0
    private var waiters: [Waiter] = []
    /// The refresh that runs; nil when none does.
    private var running: Int?
    private var refreshes = 0
    /// When the latest refreshes began, in seconds.
    private var starts: [TimeInterval] = []
    private let window: RefreshWindow?

    init(credential: Credential?, window: RefreshWindow?) {
        self.credential = credential
        self.window = window
    }

    /// A request wants to use the credential.
    ///
    /// - Parameters:
    ///   - isGood: whether the credential of `version` need not be replaced first.
    ///   - now: in seconds of a clock that is not set.
    mutating func want(version: Int, isGood: Bool, now: TimeInterval, _ waiter: @escaping Waiter) -> Step {
        guard version == self.version else { return .lookAgain }
        guard let credential else { return .fail(.missingCredential) }
        guard running == nil else {
            waiters.append(waiter)
            return .wait
        }
        guard !isGood else { return .use(credential) }
        guard mayRefresh(now) else { return .fail(.excessiveRefresh) }
        waiters.append(waiter)
        refreshes += 1
        running = refreshes
        starts.append(now)
        return .refresh(credential, number: refreshes)
    }

    /// A refresh has ended.
    mutating func refreshed(_ number: Int, _ result: Result<Credential, any Error>) -> Answer {
        // Of a refresh that was overtaken by another credential, or has told its result already, nothing counts.
        guard running == number else { return Answer(waiters: [], result: result) }
        running = nil
        if case .success(let fresh) = result {
            credential = fresh
            version += 1
        }
        return Answer(waiters: takeWaiters(), result: result)
    }

    /// The caller puts another credential in force. It overtakes a refresh that runs: what that one brings may belong
    /// to somebody who has logged out since.
    mutating func replace(with credential: Credential?) -> Answer {
        self.credential = credential
        version += 1
        running = nil
        return Answer(
            waiters: takeWaiters(),
            result: credential.map { .success($0) } ?? .failure(AuthenticationError.missingCredential)
        )
    }

    private mutating func takeWaiters() -> [Waiter] {
        defer { waiters = [] }
        return waiters
    }

    private mutating func mayRefresh(_ now: TimeInterval) -> Bool {
        guard let window else { return true }
        starts.removeAll { $0 <= now - window.interval }
        return starts.count < window.maximumAttempts
    }
}
