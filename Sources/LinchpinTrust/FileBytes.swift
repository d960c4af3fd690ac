package import Foundation
internal import Glibc

/// Reads whole files with errors that name the path and errno's words.
package enum FileBytes {
    /// The bytes of the file at `path`, or as many of them as `limit` says, which keeps a device from filling memory.
    ///
    /// - Throws: ``TrustError`` with code `unreadableFile`.
    package static func read(_ path: String, atMost limit: Int = .max) throws(TrustError) -> Data {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while data.count < limit {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return data }
            if count < 0 {
                if errno == EINTR { continue }
                throw unreadable(path)
            }
            data.append(contentsOf: chunk[..<count])
        }
        return data.prefix(limit)
    }

    private static func unreadable(_ path: String) -> TrustError {
        TrustError(.unreadableFile, reason: "\(path): \(String(cString: strerror(errno)))")
    }
}
