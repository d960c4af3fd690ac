// Its header brings the types of sockets, of which the compiler takes the one or the other for the definition.
import CLibcurl
import Foundation
import Glibc

/// A TCP port of 127.0.0.1 at which connections are neither taken nor refused: the listener's queue is full.
final class FullListener: Sendable {
    struct Failure: Error { let number: Int32 }

    let url: URL
    private let descriptors: [Int32]

    init() throws {
        let listener = Self.socket()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var open = [listener]
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(listener, name, length) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, name, &length) == 0
            }
        }
        guard isListening, let url = URL(string: "https://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else {
            throw Failure(number: errno)
        }
        // The queue takes one more than it was told.
        for _ in 0..<4 {
            let client = Self.socket()
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            open.append(client)
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, length) }
            }
        }
        self.url = url
        descriptors = open
    }

    private static func socket() -> Int32 {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}
