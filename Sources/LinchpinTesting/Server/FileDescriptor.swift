internal import CLinchpin
internal import Glibc

/// The one owner of a file descriptor.
struct FileDescriptor: ~Copyable, Sendable {
    let number: Int32

    /// Takes over a descriptor that a system call returned; nil for its failure.
    init?(takingOwnership number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }
}

/// A flag that threads can wait for beside their sockets (eventfd(2)); once raised it stays so.
final class StopSignal: Sendable {
    private let descriptor: FileDescriptor

    init() throws(TestingError) {
        guard let descriptor = FileDescriptor(takingOwnership: clinchpin_testing_eventfd()) else {
            throw TestingError(.serverUnavailable, reason: "eventfd: \(String(cString: strerror(errno)))")
        }
        self.descriptor = descriptor
    }

    /// Raises the flag.
    func raise() {
        var one: UInt64 = 1
        // Fails only when the counter is full, and so raised long since.
        _ = write(descriptor.number, &one, MemoryLayout<UInt64>.size)
    }

    /// What a wait ended with.
    enum Outcome { case ready, stopped, timedOut }

    /// Waits until the flag is raised, or `events` happen on a descriptor, or so many milliseconds have passed.
    func wait(for events: Int32, on numbers: Int32..., milliseconds: Int32 = -1) -> Outcome {
        var entries = [pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)]
        for number in numbers {
            entries.append(pollfd(fd: number, events: Int16(truncatingIfNeeded: events), revents: 0))
        }
        while true {
            let count = poll(&entries, nfds_t(entries.count), milliseconds)
            if count < 0, errno == EINTR { continue }
            if count < 0 || entries[0].revents != 0 { return .stopped }
            return count == 0 ? .timedOut : .ready
        }
    }
}
