internal import CLinchpin
internal import Glibc
internal import Synchronization

/// A POSIX thread that somebody waits for, once.
///
/// SIGPIPE is blocked in it: a write to a socket that the peer has closed is an error there, as it should be, and the
/// disposition of the signal in the program that is tested is left alone.
final class JoinableThread: Sendable {
    private let identifier: pthread_t
    private let end: End

    private final class End: Sendable {
        let isReached = Atomic(false)
    }

    /// What the thread runs; it goes when the thread ends, with all that it holds.
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        let end: End

        init(_ name: String, _ body: @escaping @Sendable () -> Void, _ end: End) {
            self.name = name
            self.body = body
            self.end = end
        }
    }

    /// Starts a thread; nil when the system has none left.
    ///
    /// - Parameters:
    ///   - name: what debuggers and `/proc` call it, at most 15 bytes.
    init?(name: String, _ body: @escaping @Sendable () -> Void) {
        let end = End()
        // Released by `run`, or here when there is no thread.
        let retained = Unmanaged.passRetained(Start(name, body, end))
        var identifier = pthread_t()
        guard pthread_create(&identifier, nil, Self.run, retained.toOpaque()) == 0 else {
            retained.release()
            return nil
        }
        self.identifier = identifier
        self.end = end
    }

    /// Whether the body has returned; joining it then takes no time.
    var isFinished: Bool { end.isReached.load(ordering: .acquiring) }

    /// Waits until the thread has ended. Called once, by another thread; else ``detach()``.
    func join() { pthread_join(identifier, nil) }

    /// Lets the thread end by itself.
    func detach() { pthread_detach(identifier) }

    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        guard let argument else { return nil }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // Retained in init(_:).
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        _ = clinchpin_testing_name_thread(start.name)
        start.body()
        start.end.isReached.store(true, ordering: .releasing)
        return nil
    }
}
