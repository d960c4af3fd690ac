internal import CLinchpin
internal import Foundation
internal import Glibc

/// A connected socket, non-blocking, and the signal that ends all waiting for it.
final class AcceptedSocket: Sendable {
    private let descriptor: FileDescriptor
    private let stop: StopSignal

    init(takingOwnership descriptor: consuming FileDescriptor, stop: StopSignal) {
        self.descriptor = descriptor
        self.stop = stop
        var yes: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    var number: Int32 { descriptor.number }

    /// Waits until there is something to read; false when the server stops.
    func waitToRead() -> Bool { stop.wait(for: POLLIN, on: number) == .ready }

    /// Waits until there is room to write; false when the server stops.
    func waitToWrite() -> Bool { stop.wait(for: POLLOUT, on: number) == .ready }

    /// Lets time pass; false when the client closes its side or the server stops meanwhile.
    func pause(seconds: Double) -> Bool {
        let milliseconds = Int32(min(max(seconds, 0) * 1000, 1e9).rounded(.up))
        return stop.wait(for: clinchpin_testing_POLLRDHUP(), on: number, milliseconds: milliseconds) == .timedOut
    }

    /// Makes the close that follows a TCP reset (socket(7), SO_LINGER).
    func resetOnClose() {
        var option = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Says that nothing more comes and lets the client finish, so that what it still sends does not reset the
    /// connection before it has read the answer.
    func linger(seconds: Double) {
        shutdown(number, Int32(SHUT_WR))
        let end = Date().addingTimeInterval(seconds)
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 || count < 0 && errno != EAGAIN { return }
            let left = Int32(max(end.timeIntervalSinceNow, 0) * 1000)
            if count < 0, stop.wait(for: POLLIN, on: number, milliseconds: left) != .ready { return }
        }
    }
}
