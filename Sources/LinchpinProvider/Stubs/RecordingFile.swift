internal import Foundation
internal import Glibc

/// A file that is not there yet.
struct RecordingFile {
    private let path: String

    init(_ file: URL) { path = file.path }

    /// Makes the file and writes to it. It is its owner's alone from the moment it exists, and nothing is written through
    /// a link that somebody else put in its place.
    ///
    /// - Returns: false when something has that name already.
    /// - Throws: what Foundation throws for errno.
    func write(_ data: Data) throws -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return false }
            throw failure
        }
        defer { close(descriptor) }
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = failure
                unlink(path)
                throw failure
            }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private var failure: CocoaError {
        let cause = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        return CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: cause])
    }
}
