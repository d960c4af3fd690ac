internal import CLinchpin
internal import Glibc

/// A socket that listens on loopback, on a port that the system chose.
final class Listener: Sendable {
    let port: UInt16
    private let descriptor: FileDescriptor
    /// Keeps the same port of the other family's loopback address, without listening there: a client that tries both
    /// addresses of `localhost` must not find somebody else's server.
    private let neighbour: FileDescriptor?

    /// - Throws: ``TestingError`` with code `serverUnavailable`.
    init(_ address: LocalTLSServer.Configuration.Address) throws(TestingError) {
        for _ in 0..<16 {
            guard let descriptor = Self.bound(address, port: 0) else { throw Self.failure("bind") }
            guard let port = LoopbackAddress.port(of: descriptor.number) else { throw Self.failure("getsockname") }
            let neighbour = Self.bound(address.other, port: port)
            // Where the machine has no such address at all, there is nothing to keep free.
            if neighbour == nil, errno == EADDRINUSE { continue }
            guard listen(descriptor.number, 1024) == 0 else { throw Self.failure("listen") }
            self.port = port
            self.descriptor = descriptor
            self.neighbour = neighbour
            return
        }
        throw TestingError(.serverUnavailable, reason: "no port is free")
    }

    /// A process that is just being spawned holds a copy of the descriptor until it runs its program: closing alone would
    /// let clients in until then.
    deinit { shutdown(descriptor.number, Int32(SHUT_RDWR)) }

    /// Waits for the next connection; nil when the server stops.
    func accept(unless stop: StopSignal) -> ConnectionSocket? {
        while stop.wait(for: POLLIN, on: descriptor.number) == .ready {
            if let accepted = FileDescriptor(takingOwnership: clinchpin_testing_accept(descriptor.number)) {
                return ConnectionSocket(takingOwnership: accepted, stop: stop)
            }
            // Out of descriptors or memory: let others give some back, and do not spin until then.
            if errno != EAGAIN, errno != EINTR, errno != ECONNABORTED {
                guard stop.wait(for: 0, on: descriptor.number, milliseconds: 10) == .timedOut else { return nil }
            }
        }
        return nil
    }
}

extension Listener {
    /// A socket that is bound to loopback; nil with errno set.
    private static func bound(_ address: LocalTLSServer.Configuration.Address, port: UInt16) -> FileDescriptor? {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let family = address == .ipv4 ? AF_INET : AF_INET6
        guard let descriptor = FileDescriptor(takingOwnership: socket(family, kind, 0)) else { return nil }
        var yes: Int32 = 1
        if address == .ipv6 {
            setsockopt(descriptor.number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        guard LoopbackAddress.bind(descriptor.number, address, port: port) == 0 else { return nil }
        return descriptor
    }

    private static func failure(_ call: String) -> TestingError {
        TestingError(.serverUnavailable, reason: "\(call) on loopback: \(String(cString: strerror(errno)))")
    }
}

extension LocalTLSServer.Configuration.Address {
    fileprivate var other: Self { self == .ipv4 ? .ipv6 : .ipv4 }
}
