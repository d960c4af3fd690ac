internal import Foundation
internal import Glibc

/// A regular file that can be read, and the length that it had when it was looked at.
struct PartFile: Sendable {
    let url: URL
    let length: UInt64

    /// - Throws: ``SessionError`` `.multipartEncodingFailed`.
    init(_ url: URL) throws(SessionError) {
        func refusal(_ reason: SessionError.MultipartEncodingFailureReason) -> SessionError {
            .multipartEncodingFailed(reason: reason)
        }
        guard url.isFileURL else { throw refusal(.bodyPartURLInvalid(url: url)) }
        var status = stat()
        guard stat(url.path, &status) == 0 else {
            guard errno != ENOENT && errno != ENOTDIR else { throw refusal(.bodyPartFileNotReachable(at: url)) }
            throw refusal(.bodyPartFileNotReachableWithError(atURL: url, error: SystemError.last))
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw refusal(.bodyPartFileIsDirectory(at: url))
        default: throw refusal(.bodyPartFileSizeNotAvailable(at: url))
        }
        guard access(url.path, R_OK) == 0 else {
            throw refusal(.bodyPartFileNotReachableWithError(atURL: url, error: SystemError.last))
        }
        self.url = url
        length = UInt64(status.st_size)
    }
}

/// An `errno`, as an error with the system's words.
enum SystemError {
    static var last: any Error { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
