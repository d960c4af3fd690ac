internal import Foundation
internal import Glibc

/// A file that is replaced as a whole: whenever the process or the machine stops, the old bytes are there or the new ones.
struct DurableFile {
    let path: String

    /// The bytes; nil when there is no such file.
    ///
    /// - Throws: ``TrustError`` with code `unreadableFile`.
    func read(atMost limit: Int) throws(TrustError) -> Data? {
        // Asked for first, since the error of reading has words and no number.
        guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
        return try FileBytes.read(path, atMost: limit)
    }

    /// Runs `body` while no other process, and no other thread of this one, does the same for this path.
    ///
    /// The lock is a file of its own beside this one: the file itself is another one after each write.
    ///
    /// - Throws: what `body` does, or ``TrustError`` with code `unwritableFile`.
    func locked<Result>(_ body: () throws(TrustError) -> Result) throws(TrustError) -> Result {
        let name = "\(path).lock"
        let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable(name) }
        // The kernel ends the lock with the descriptor, and with the process.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.unwritable(name) }
        }
        return try body()
    }

    /// Replaces the bytes; only one caller at a time, see ``locked(_:)``.
    ///
    /// They are on the disk before they get the file's name, and the name is before this returns (fsync(2), rename(2)).
    ///
    /// - Throws: ``TrustError`` with code `unwritableFile`; the old bytes are then still there.
    func replace(with bytes: Data) throws(TrustError) {
        // One name, so that whatever a stopped writer left behind is overwritten by the next.
        let temporary = "\(path).new"
        try write(bytes, to: temporary)
        guard rename(temporary, path) == 0 else { throw Self.unwritable(path) }
        let directory = directory
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unwritable(directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.unwritable(directory) }
    }

    private func write(_ bytes: Data, to name: String) throws(TrustError) {
        let descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable(name) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.unwritable(name) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw Self.unwritable(name) }
    }

    private var directory: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func unwritable(_ path: String) -> TrustError {
        TrustError(.unwritableFile, reason: "\(path): \(String(cString: strerror(errno)))")
    }
}
