internal import CLinchpin
internal import Glibc
internal import Synchronization

/// The one owner of the eventfd by which any thread wakes a loop up.
///
/// Its lock is held for a write, but never by the loop, before it has ended: a thread that is awake at once waits for
/// nobody.
final class WakeUp: Sendable {
    /// Less than 0 where the system gave none, and once it is closed.
    private let descriptor = Mutex(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))

    deinit { close() }

    /// Wakes the loop up; does nothing after its end.
    func write() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { eventfd_write(descriptor, 1) }
        }
    }

    /// Ends it.
    func close() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { Glibc.close(descriptor) }
            descriptor = -1
        }
    }

    /// Lends the descriptor.
    func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result { descriptor.withLock { body($0) } }
}
