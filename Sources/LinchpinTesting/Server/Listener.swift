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
            guard let port = Self.port(of: descriptor.number) else { throw Self.failure("getsockname") }
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

    /// Waits for the next connection; nil when the server stops.
    func accept(unless stop: StopSignal) -> AcceptedSocket? {
        while stop.wait(for: POLLIN, on: descriptor.number) == .ready {
            if let accepted = FileDescriptor(takingOwnership: clinchpin_testing_accept(descriptor.number)) {
                return AcceptedSocket(takingOwnership: accepted, stop: stop)
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
        let result =
            switch address {
            case .ipv4: bindIPv4(descriptor.number, port)
            case .ipv6: bindIPv6(descriptor.number, port)
            }
        guard result == 0 else { return nil }
        return descriptor
    }

    private static func bindIPv4(_ number: Int32, _ port: UInt16) -> Int32 {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func bindIPv6(_ number: Int32, _ port: UInt16) -> Int32 {
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_port = port.bigEndian
        name.sin6_addr = in6addr_loopback
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }

    /// The port that the system chose; it stands at the same place for both families.
    private static func port(of number: Int32) -> UInt16? {
        var name = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &name) { pointer in
            let result = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
            guard result == 0 else { return nil }
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
    }

    private static func failure(_ call: String) -> TestingError {
        TestingError(.serverUnavailable, reason: "\(call) on loopback: \(String(cString: strerror(errno)))")
    }
}

extension LocalTLSServer.Configuration.Address {
    fileprivate var other: Self { self == .ipv4 ? .ipv6 : .ipv4 }
}
