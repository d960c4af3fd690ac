internal import CLinchpin
internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import Glibc
internal import LinchpinTrust
internal import Synchronization

/// The way from any thread to the session's loop.
///
/// Commands go through a queue with one wake-up per batch; everything that touches libcurl is ``LoopCore``'s, on a
/// thread of its own.
final class EventLoop: Sendable {
    /// What the loop is asked to do.
    enum Command: Sendable {
        case start(ExchangeOrder)
        case cancel(Request)
        /// The request was suspended or resumed, or can go on: its body has more, or what came was read.
        case wake(Request)
        /// What an evaluator wanted to know, in the lesson of this number, has been fetched.
        case learned(Request, Int)
        /// Where a redirect, told by its number, leads; nil makes it the response.
        case redirectDecided(Request, Int, URLRequest?)
        case policyReplaced(ServerTrustManager.RunningExchanges)
    }

    private struct Inbox {
        var commands: [Command] = []
        /// Whether the loop looks at the commands before it waits the next time: it is at work or has been woken up.
        var isAwake = false
        /// Why no more commands are taken; nil while they are.
        var end: SessionError?
        /// Whether the thread runs, or is about to.
        var isRunning = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var observation: UUID?
        /// Tasks whose responses are there.
        var resumptions = ResumptionBatch()

        /// - Returns: whether the thread has to be woken up: once a batch.
        mutating func beginWakingUp() -> Bool {
            guard isRunning, !isAwake else { return false }
            isAwake = true
            return true
        }
    }

    private let inbox = Mutex(Inbox())
    private let manager: ServerTrustManager?
    /// Used without the inbox's lock, and perhaps after the thread has ended.
    private let wakeUp = WakeUp()

    /// Starts the thread. Where that fails, every request ends with the reason.
    init(configuration: SessionConfiguration, serverTrustManager: ServerTrustManager?) {
        manager = serverTrustManager
        do throws(SessionError) {
            try run(configuration)
            let observation = serverTrustManager?.observe { [weak self] running in
                _ = self?.send(.policyReplaced(running))
            }
            inbox.withLock { $0.observation = observation }
        } catch {
            inbox.withLock { inbox in
                inbox.end = error
                inbox.isRunning = false
            }
            wakeUp.close()
        }
    }

    /// Starts the thread.
    private func run(_ configuration: SessionConfiguration) throws(SessionError) {
        try CurlLibrary.ensureUsable()
        let poller = try Poller(wakeUp: wakeUp)
        inbox.withLock { $0.isRunning = true }
        let ended = DispatchSemaphore(value: 0)
        let exit = ProcessExit.add { [weak self] in
            guard let self else { return }
            stop(with: .sessionInvalidated(error: nil))
            ended.wait()
        }
        guard let exit else {
            throw .sessionInvalidated(error: UnusableLibraryError(message: "the process is exiting"))
        }
        do throws(SessionError) {
            try LoopThread.start { [self] in
                LoopCore(configuration: configuration, manager: manager, poller: poller).run(self)
                threadEnded()
                ProcessExit.endThread()
                ended.signal()
                ProcessExit.remove(exit)
            }
        } catch {
            ProcessExit.remove(exit)
            throw error
        }
    }

    /// Begins a request, or ends it with the reason why the loop takes none.
    func start(_ order: ExchangeOrder) {
        guard let error = send(.start(order)) else { return }
        let outcome = ExchangeOutcome(request: order.request, error: error)
        order.owner.exchangeEnded(outcome, attempt: order.attempt, on: nil)
    }

    /// Ends the transfer of a request that was cancelled, and tells it what the transfer left.
    func cancel(_ request: Request) {
        if send(.cancel(request)) != nil { request.exchangeCancelled(ExchangeOutcome(error: .explicitlyCancelled)) }
    }

    /// Looks at a request again that was suspended or resumed, or can go on.
    func wake(_ request: Request) { _ = send(.wake(request)) }

    /// Goes on after a lesson.
    func learned(_ request: Request, number: Int) { _ = send(.learned(request, number)) }

    /// Goes on after a redirect.
    func redirectDecided(_ request: Request, number: Int, to next: URLRequest?) {
        _ = send(.redirectDecided(request, number, next))
    }

    /// Ends every request with `error` and then the thread; returns at once.
    func stop(with error: SessionError) {
        let (isAsleep, observation) = inbox.withLock { inbox in
            if inbox.end == nil { inbox.end = error }
            defer { inbox.observation = nil }
            return (inbox.beginWakingUp(), inbox.observation)
        }
        if isAsleep { wakeUp.write() }
        if let observation { manager?.stopObserving(observation) }
    }

    /// Does the same, and returns when the thread has ended.
    func stopAndWait(with error: SessionError) async {
        stop(with: error)
        await withCheckedContinuation { continuation in
            let hasEnded = inbox.withLock { inbox in
                if inbox.isRunning { inbox.waiters.append(continuation) }
                return !inbox.isRunning
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Resumes a task that waits for a response: together with others, once there are enough of them or the loop is
    /// about to wait; at once where it does so already.
    func resume(_ continuation: TaskHandler.Continuation, _ priority: TaskPriority) {
        let batch = inbox.withLock { inbox in
            guard inbox.isRunning, inbox.isAwake else { return ResumptionBatch(continuation) as ResumptionBatch? }
            return inbox.resumptions.add(continuation, priority)
        }
        batch?.resume()
    }

    /// What was asked since the last time, and why the loop has to end, if it has. Called by the loop.
    func take() -> (commands: [Command], end: SessionError?) {
        inbox.withLock { inbox in
            defer { inbox.commands = [] }
            return (inbox.commands, inbox.end)
        }
    }

    /// The loop is about to wait. Called by the loop.
    ///
    /// - Returns: false when it has something to do instead.
    func mayWait() -> Bool {
        // Before the commands are looked at: who is resumed may have some.
        inbox.withLock { $0.resumptions.take() }?.resume()
        return inbox.withLock { inbox in
            guard inbox.commands.isEmpty, inbox.end == nil else { return false }
            inbox.isAwake = false
            return true
        }
    }

    /// The loop waits no longer: nobody has to wake it up. Called by the loop.
    func awoke() { inbox.withLock { $0.isAwake = true } }

    private func send(_ command: Command) -> SessionError? {
        let (end, isAsleep) = inbox.withLock { inbox -> (SessionError?, Bool) in
            if let end = inbox.end { return (end, false) }
            inbox.commands.append(command)
            return (nil, inbox.beginWakingUp())
        }
        // Without the lock, for which the thread would wait as soon as it is awake.
        if isAsleep { wakeUp.write() }
        return end
    }

    private func threadEnded() {
        let (waiters, batch) = inbox.withLock { inbox in
            inbox.isRunning = false
            defer { inbox.waiters = [] }
            return (inbox.waiters, inbox.resumptions.take())
        }
        batch?.resume()
        wakeUp.close()
        for waiter in waiters { waiter.resume() }
    }
}
