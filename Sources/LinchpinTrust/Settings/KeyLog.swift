internal import Glibc

/// The one owner of an open key log, to which lines are only ever appended.
final class KeyLog: Sendable {
    private let descriptor: Int32

    /// Opens the file, or makes one that only its owner can read.
    ///
    /// - Throws: ``TrustError`` with code `unreadableFile`.
    init(path: String) throws(TrustError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw TrustError(.unreadableFile, reason: "\(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Appends a line in one write, so that lines of several threads do not mix. A full disk loses the line.
    func append(_ line: UnsafePointer<CChar>) {
        let bytes = Array(String(cString: line).utf8) + [UInt8(ascii: "\n")]
        _ = write(descriptor, bytes, bytes.count)
    }
}
