internal import COpenSSL
package import Foundation
internal import Synchronization

/// What has to end before OpenSSL does at the exit of the process.
///
/// OpenSSL frees itself then (OPENSSL_init_crypto(3)), whatever other threads are doing with it: one in the middle of a
/// handshake would crash a program that has done its work.
package enum ProcessExit {
    private struct State {
        var handlers: [UUID: @Sendable () -> Void] = [:]
        var isExiting = false
    }

    private static let state = Mutex(State())
    /// How long an exit waits for all of them, in seconds: they take milliseconds unless the caller's code waits.
    private static let patience = 2.0

    /// Registers with the process after OpenSSL has done so: what registers last is called first.
    private static let isRegistered: Bool = OPENSSL_init_ssl(0, nil) == 1 && atexit { ProcessExit.runHandlers() } == 0

    /// Has `handler` called at the exit, once, on some thread; it should return when its threads use OpenSSL no more.
    ///
    /// - Returns: a token for ``remove(_:)``; nil when the process is exiting already.
    package static func add(_ handler: @escaping @Sendable () -> Void) -> UUID? {
        guard isRegistered else { return nil }
        return state.withLock { state in
            guard !state.isExiting else { return nil }
            let token = UUID()
            state.handlers[token] = handler
            return token
        }
    }

    /// Forgets a handler.
    package static func remove(_ token: UUID) { state.withLock { $0.handlers[token] = nil } }

    /// Frees what OpenSSL keeps for the calling thread, which uses it no more (OPENSSL_thread_stop(3)).
    package static func endThread() { OPENSSL_thread_stop() }

    private static func runHandlers() {
        let handlers = state.withLock { state in
            state.isExiting = true
            return Array(state.handlers.values)
        }
        let ended = DispatchSemaphore(value: 0)
        for handler in handlers {
            Thread.detachNewThread {
                handler()
                ended.signal()
            }
        }
        let deadline = DispatchTime.now() + patience
        for _ in handlers where ended.wait(timeout: deadline) == .timedOut { return }
    }
}
