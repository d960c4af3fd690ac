internal import CLinchpin
internal import Glibc

/// The one owner of the eventfd by which any thread wakes a loop up.
final class WakeUp: Sendable {
    /// Less than 0 where the system gave none.
    let descriptor: Int32

    init() { descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Wakes the loop up.
    func write() { eventfd_write(descriptor, 1) }
}
