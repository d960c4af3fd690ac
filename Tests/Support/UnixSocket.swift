internal import Foundation
internal import Glibc

/// One exchange over a Unix socket.
enum UnixSocket {
    /// Sends `request` to the socket at `path` and returns everything that comes back until the other end closes.
    static func exchange(_ request: String, at path: String) throws -> String {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemCallFailure("socket") }
        defer { close(descriptor) }
        try connect(descriptor, to: path)
        let bytes = Array(request.utf8)
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw SystemCallFailure("writing to \(path)")
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw SystemCallFailure("reading from \(path)") }
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += chunk[..<count]
        }
    }

    private static func connect(_ descriptor: Int32, to path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8) + [0]
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemCallFailure("connecting to \(path)", number: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let done = withUnsafeBytes(of: &address) { raw -> Bool in
            guard let pointer = raw.bindMemory(to: sockaddr.self).baseAddress else { return false }
            return Glibc.connect(descriptor, pointer, socklen_t(raw.count)) == 0
        }
        guard done else { throw SystemCallFailure("connecting to \(path)") }
    }
}
