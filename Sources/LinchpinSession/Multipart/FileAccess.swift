internal import Foundation
internal import Glibc

/// Makes a file that is not there yet.
struct FileAccess: Sendable {
    let manager: FileManager

    /// Makes the file and hands out what writes to it; removes it again when `body` or writing throws.
    ///
    /// - Throws: ``SessionError`` `.multipartEncodingFailed`, and what `body` throws.
    func write(to url: URL, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
        guard url.isFileURL else { throw failure(.outputStreamURLInvalid(url: url)) }
        // Made in one step with the look whether it is there, so that nothing that another program put there meanwhile
        // is written to. It is the user's own: a form may hold secrets.
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw failure(
                errno == EEXIST ? .outputStreamFileAlreadyExists(at: url) : .outputStreamCreationFailed(for: url)
            )
        }
        let result = Result { try body { try Self.write($0, to: descriptor) } }
        let isClosed = close(descriptor) == 0
        let closing = SystemError.last
        do {
            try result.get()
            guard isClosed else { throw failure(.outputStreamWriteFailed(error: closing)) }
        } catch {
            try? manager.removeItem(at: url)
            throw error
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw SessionError.multipartEncodingFailed(reason: .outputStreamWriteFailed(error: SystemError.last))
            }
            rest = rest.dropFirst(count)
        }
    }

    private func failure(_ reason: SessionError.MultipartEncodingFailureReason) -> SessionError {
        .multipartEncodingFailed(reason: reason)
    }
}
