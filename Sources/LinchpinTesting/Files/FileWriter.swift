internal import Foundation
internal import Glibc

/// Writes whole files that others see complete or not at all.
enum FileWriter {
    /// Who may read a file, in the bits of chmod(2).
    enum Access: mode_t {
        case everybody = 0o644
        /// For keys.
        case owner = 0o600
    }

    /// Writes a file beside its place and moves it there. It has its mode from the moment it exists.
    ///
    /// - Throws: ``TestingError`` with code `unwritableFile`, the path and errno's words.
    static func write(_ text: String, to path: String, access: Access) throws(TestingError) {
        let temporary = "\(path).\(UInt64.random(in: 0...UInt64.max)).tmp"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        guard let descriptor = FileDescriptor(takingOwnership: open(temporary, flags, access.rawValue)) else {
            throw unwritable(temporary)
        }
        do throws(TestingError) {
            try write(Array(text.utf8), to: descriptor, path: temporary)
            guard rename(temporary, path) == 0 else { throw unwritable(path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Makes a directory and those above it; one that exists is left as it is.
    ///
    /// - Throws: ``TestingError`` with code `unwritableFile`.
    static func makeDirectory(_ path: String) throws(TestingError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw TestingError(.unwritableFile, reason: "\(path): \(error.localizedDescription)")
        }
    }

    private static func write(
        _ bytes: [UInt8],
        to descriptor: borrowing FileDescriptor,
        path: String
    ) throws(TestingError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor.number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw unwritable(path) }
            rest = rest.dropFirst(count)
        }
    }

    private static func unwritable(_ path: String) -> TestingError {
        TestingError(.unwritableFile, reason: "\(path): \(String(cString: strerror(errno)))")
    }
}
