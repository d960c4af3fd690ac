internal import CLinchpin
internal import Foundation
internal import Glibc

/// A connected socket, non-blocking, and the signal that ends all waiting for it.
final class ConnectionSocket: Sendable {
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

    /// Waits until there is something to read here or there; false when the server stops.
    func waitToRead(orFrom other: ConnectionSocket) -> Bool {
        stop.wait(for: POLLIN, on: number, other.number) == .ready
    }

    /// Lets time pass; false when the client closes its side or the server stops meanwhile.
    func pause(seconds: Double) -> Bool {
        // What is no number is no time.
        let milliseconds = seconds > 0 ? Int32(min(seconds * 1000, 1e9).rounded(.up)) : 0
        return stop.wait(for: clinchpin_testing_POLLRDHUP(), on: number, milliseconds: milliseconds) == .timedOut
    }

    /// A connection to a port of 127.0.0.1; nil where nobody listens.
    func connecting(toPort port: UInt16) -> ConnectionSocket? {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard let descriptor = FileDescriptor(takingOwnership: Glibc.socket(AF_INET, kind, 0)) else { return nil }
        guard LoopbackAddress.connect(descriptor.number, port: port) == 0,
            fcntl(descriptor.number, F_SETFL, O_NONBLOCK) == 0
        else { return nil }
        return ConnectionSocket(takingOwnership: descriptor, stop: stop)
    }

    /// Says that nothing more comes.
    func finishWriting() { shutdown(number, Int32(SHUT_WR)) }

    /// Makes the close that follows a TCP reset (socket(7), SO_LINGER).
    func resetOnClose() {
        var option = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Says that nothing more comes and lets the client finish, so that what it still sends does not reset the
    /// connection before it has read the answer.
    func linger(seconds: Double) {
        finishWriting()
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
