internal import Glibc

/// A TCP socket that listens on 127.0.0.1, at a port that the kernel chose.
///
/// A server that takes the socket over needs no port to be free, and who connects before the server is up waits in the
/// socket's queue.
struct ListeningSocket: ~Copyable {
    let descriptor: Int32
    let port: Int

    init() throws {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw SystemCallFailure("socket") }
        do {
            port = try Self.listen(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    private static func listen(_ descriptor: Int32) throws -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let done = withUnsafeMutableBytes(of: &address) { bytes -> Bool in
            guard let pointer = bytes.bindMemory(to: sockaddr.self).baseAddress else { return false }
            return bind(descriptor, pointer, length) == 0 && Glibc.listen(descriptor, 511) == 0
                && getsockname(descriptor, pointer, &length) == 0
        }
        guard done else { throw SystemCallFailure("listening on 127.0.0.1") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
