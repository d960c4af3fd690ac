internal import Glibc

/// The system calls that take a socket address, for loopback alone; each leaves its reason in errno.
enum LoopbackAddress {
    /// bind(2)
    static func bind(
        _ number: Int32,
        _ address: LocalTLSServer.Configuration.Address,
        port: UInt16
    ) -> Int32 {
        switch address {
        case .ipv4: withIPv4(port) { Glibc.bind(number, $0, $1) }
        case .ipv6: withIPv6(port) { Glibc.bind(number, $0, $1) }
        }
    }

    /// connect(2) to 127.0.0.1
    static func connect(_ number: Int32, port: UInt16) -> Int32 {
        withIPv4(port) { Glibc.connect(number, $0, $1) }
    }

    /// The port that the system chose, by getsockname(2); it stands at the same place for both families.
    static func port(of number: Int32) -> UInt16? {
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

    private static func withIPv4(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return lend(name, body)
    }

    private static func withIPv6(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_port = port.bigEndian
        name.sin6_addr = in6addr_loopback
        return lend(name, body)
    }

    private static func lend<Name>(_ name: Name, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Name>.size)) }
        }
    }
}
