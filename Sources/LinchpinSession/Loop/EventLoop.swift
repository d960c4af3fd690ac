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
        /// Whether the loop has been woken up and has not looked yet.
        var isAwake = false
        /// Why no more commands are taken; nil while they are.
        var end: SessionError?
        /// The thread's eventfd; nil before it runs and after it has ended.
        var wakeUp: Int32?
        var waiters: [CheckedContinuation<Void, Never>] = []
        var observation: UUID?
    }

    private let inbox = Mutex(Inbox())
    private let manager: ServerTrustManager?

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
            inbox.withLock { $0.end = error }
            closeWakeUp()
        }
    }

    /// Starts the thread.
    private func run(_ configuration: SessionConfiguration) throws(SessionError) {
        try CurlLibrary.ensureUsable()
        let poller = try Poller()
        inbox.withLock { $0.wakeUp = poller.wakeUpDescriptor }
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
        order.owner.exchangeEnded(ExchangeOutcome(request: order.request, error: error), attempt: order.attempt)
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
        let observation = inbox.withLock { inbox in
            if inbox.end == nil { inbox.end = error }
            wake(&inbox)
            defer { inbox.observation = nil }
            return inbox.observation
        }
        if let observation { manager?.stopObserving(observation) }
    }

    /// Does the same, and returns when the thread has ended.
    func stopAndWait(with error: SessionError) async {
        stop(with: error)
        await withCheckedContinuation { continuation in
            let hasEnded = inbox.withLock { inbox in
                if inbox.wakeUp != nil { inbox.waiters.append(continuation) }
                return inbox.wakeUp == nil
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// What was asked since the last time, and why the loop has to end, if it has. Called by the loop.
    func take() -> (commands: [Command], end: SessionError?) {
        inbox.withLock { inbox in
            defer { inbox.commands = [] }
            inbox.isAwake = false
            return (inbox.commands, inbox.end)
        }
    }

    private func send(_ command: Command) -> SessionError? {
        inbox.withLock { inbox in
            if let end = inbox.end { return end }
            inbox.commands.append(command)
            wake(&inbox)
            return nil
        }
    }

    /// Wakes the loop up once a batch. Under the lock, since the loop closes the descriptor when it ends.
    private func wake(_ inbox: inout Inbox) {
        guard !inbox.isAwake, let descriptor = inbox.wakeUp else { return }
        inbox.isAwake = true
        eventfd_write(descriptor, 1)
    }

    private func threadEnded() {
        for waiter in closeWakeUp() { waiter.resume() }
    }

    @discardableResult
    private func closeWakeUp() -> [CheckedContinuation<Void, Never>] {
        inbox.withLock { inbox in
            if let descriptor = inbox.wakeUp { close(descriptor) }
            inbox.wakeUp = nil
            defer { inbox.waiters = [] }
            return inbox.waiters
        }
    }
}
