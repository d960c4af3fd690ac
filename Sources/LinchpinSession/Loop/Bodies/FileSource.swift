internal import Foundation
internal import Glibc

/// A body in a file, read as it is sent.
final class FileSource: BodySource {
    private let descriptor: Int32
    private let size: Int64
    private var offset: Int64 = 0

    /// - Throws: ``BodyError`` when there is no regular file, or it cannot be read.
    init(_ url: URL) throws(BodyError) {
        // A pipe without a writer would hold the loop up.
        let opened = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw Self.failed("\(url.lastPathComponent) cannot be opened") }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw BodyError(message: "\(url.lastPathComponent) is no file")
        }
        descriptor = opened
        size = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    var length: Int64? { size }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(BodyError) -> BodyPortion {
        // What was added to the file since is no part of the announced body.
        let wanted = Int(min(Int64(buffer.count), size - offset))
        guard wanted > 0 else { return .end }
        var count = 0
        repeat {
            count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw Self.failed("reading the file failed") }
        guard count > 0 else { throw BodyError(message: "the file became shorter while it was sent") }
        offset += Int64(count)
        return .bytes(count)
    }

    func rewind() { offset = 0 }

    private static func failed(_ what: String) -> BodyError {
        BodyError(message: "\(what): \(String(cString: strerror(errno)))")
    }
}
