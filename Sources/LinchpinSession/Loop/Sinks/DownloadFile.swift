internal import Foundation
internal import Glibc

/// The one owner of a file that is being downloaded.
final class DownloadFile {
    let path: String
    private(set) var size: Int64
    private let descriptor: Int32

    /// A new file in the temporary directory that only its owner may read.
    init() throws(SessionError) {
        path = FileManager.default.temporaryDirectory.appending(path: "linchpin-download-\(UUID().uuidString)").path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        size = 0
        guard descriptor >= 0 else { throw Self.failed("making a temporary file failed") }
    }

    /// A file that is there, from some byte on; what it has after that is cut off.
    init(path: String, continuingAt offset: Int64) throws(SessionError) {
        self.path = path
        size = offset
        descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Self.failed("opening what was downloaded earlier failed") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int64(status.st_size) >= offset,
            ftruncate(descriptor, off_t(offset)) == 0, lseek(descriptor, 0, SEEK_END) == off_t(offset)
        else { throw Self.failed("what was downloaded earlier cannot be continued") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Adds bytes at the end.
    func append(_ bytes: UnsafeRawBufferPointer) throws(SessionError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failed("writing the file failed") }
            size += Int64(count)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// Takes the file away.
    func remove() { unlink(path) }

    private static func failed(_ what: String) -> SessionError {
        let message = "\(what): \(String(cString: strerror(errno)))"
        return .sessionTaskFailed(error: TransportError(code: .fileUnwritable, curlCode: nil, message: message))
    }
}
