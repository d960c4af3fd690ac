internal import CLinchpin
internal import Foundation
internal import Glibc
internal import LinchpinTrust
internal import Synchronization

/// The loops that run, so that they end before OpenSSL does.
///
/// OpenSSL frees itself at the exit of the process (OPENSSL_init_crypto(3)), whatever other threads are doing with it:
/// a loop in the middle of a handshake would crash a program that has done its work.
enum LoopRegistry {
    private struct State {
        var loops: [ObjectIdentifier: EventLoop] = [:]
        var isExiting = false
    }

    private static let state = Mutex(State())
    private static let ended = DispatchSemaphore(value: 0)
    /// How long an exit waits for a loop, in seconds: one is done in milliseconds unless an evaluator waits.
    private static let patience = 2.0

    /// Registers for the exit of the process, once. After OpenSSL has: what registers last is called first.
    static let isWatchingExit: Bool = atexit { LoopRegistry.endAll() } == 0

    /// Notes a loop that is about to run; false when the process is exiting and none may start.
    static func add(_ loop: EventLoop) -> Bool {
        state.withLock { state in
            guard !state.isExiting else { return false }
            state.loops[ObjectIdentifier(loop)] = loop
            return true
        }
    }

    /// Forgets a loop whose thread touches neither libcurl nor OpenSSL any more.
    static func remove(_ loop: EventLoop) {
        OpenSSLThread.end()
        let isExiting = state.withLock { state in
            state.loops[ObjectIdentifier(loop)] = nil
            return state.isExiting
        }
        if isExiting { ended.signal() }
    }

    private static func endAll() {
        let running = state.withLock { state in
            state.isExiting = true
            return Array(state.loops.values)
        }
        for loop in running { loop.stop(with: .sessionInvalidated(error: nil)) }
        let deadline = DispatchTime.now() + patience
        for _ in running where ended.wait(timeout: deadline) == .timedOut { return }
    }
}
