internal import CLinchpin
internal import Dispatch
internal import Glibc

/// The thread of one event loop.
enum LoopThread {
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Runs `body` on a new detached thread that is named `linchpin-loop`.
    ///
    /// - Throws: ``SessionError`` `.sessionInvalidated` with errno's words.
    static func start(_ body: @escaping () -> Void) throws(SessionError) {
        // Released by the thread, which takes it, or below when there is none.
        let retained = Unmanaged.passRetained(Body(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let error = pthread_create(
            &thread,
            &attributes,
            { context in
                LoopThread.blockSignals()
                clinchpin_name_thread("linchpin-loop")
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            },
            retained.toOpaque()
        )
        guard error == 0 else {
            retained.release()
            let words = String(cString: strerror(error))
            throw .sessionInvalidated(error: UnusableLibraryError(message: "no thread for the event loop: \(words)"))
        }
    }

    /// Leaves signals to the program's own threads. SIGPIPE above all: a peer that is gone makes a write fail here,
    /// and must not end the process, whatever its handlers are.
    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
