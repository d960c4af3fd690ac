internal import Foundation
internal import Glibc

/// Reads the body of a form from its start to its end, a piece at a time.
///
/// Used on one thread: it is not Sendable.
final class MultipartBodyReader {
    /// The length of the whole body in bytes.
    let contentLength: Int64
    private let pieces: [MultipartPiece]
    /// The piece that is read, and how many of its bytes have been.
    private var index = 0
    private var offset: UInt64 = 0
    private var file: OpenFile?
    /// Whether a stream has been opened, which happens once.
    private var hasOpenedStream = false

    /// - Throws: the first error that adding parts to the form met.
    init(_ form: MultipartFormData) throws {
        pieces = try form.pieces()
        contentLength = Int64(pieces.reduce(0) { $0 + $1.length })
    }

    /// Fills the buffer as far as there are bytes; 0 at the end of the body, or for a buffer of no bytes.
    ///
    /// - Throws: ``SessionError`` `.multipartEncodingFailed`, with `.inputStreamReadFailed` around an
    ///   ``SessionError/UnexpectedInputStreamLength`` for a file or a stream of another length than was announced. After
    ///   an error the body is of no use.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count, index < pieces.count {
            let piece = pieces[index]
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let wanted = Int(min(UInt64(room.count), piece.length - offset))
            filled += try read(piece, into: UnsafeMutableRawBufferPointer(rebasing: room[..<wanted]))
            if offset == piece.length { try close(piece) }
        }
        return filled
    }

    /// Goes back to the start.
    ///
    /// - Throws: ``SessionError`` `.multipartEncodingFailed(.inputStreamReadFailed)` when a stream has been read from.
    func rewind() throws {
        guard !hasOpenedStream else { throw failure(StreamCannotRewind()) }
        file = nil
        index = 0
        offset = 0
    }

    /// Hands out everything that is left.
    func readAll(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)
        defer { chunk.deallocate() }
        while case let count = try read(into: chunk), count > 0 {
            try body(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
    }

    private func read(_ piece: MultipartPiece, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count =
            switch piece.body {
            case .bytes(let data): copy(data, into: buffer)
            case .file(let part): try opened(part).read(into: buffer)
            case .stream(let part): try opened(part).read(into: buffer)
            }
        guard count > 0 || buffer.isEmpty else { throw wrongLength(piece.length, offset) }
        offset += UInt64(count)
        return count
    }

    private func copy(_ data: Data, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let start = data.startIndex + Int(offset)
        data.copyBytes(to: buffer, from: start..<(start + buffer.count))
        return buffer.count
    }

    /// Ends a piece, after a look whether there is more of it than was announced.
    private func close(_ piece: MultipartPiece) throws {
        let hasMore =
            try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
                switch piece.body {
                case .bytes: false
                case .file(let part): try opened(part).read(into: byte) > 0
                case .stream(let part): try opened(part).read(into: byte) > 0
                }
            }
        guard !hasMore else { throw wrongLength(piece.length, piece.length + 1) }
        if case .stream(let part) = piece.body { part.stream.close() }
        file = nil
        index += 1
        offset = 0
    }

    private func opened(_ part: PartFile) throws -> OpenFile {
        if let file { return file }
        let opened = try OpenFile(part)
        file = opened
        return opened
    }

    private func opened(_ part: PartStream) -> InputStream {
        if part.stream.streamStatus == .notOpen {
            part.stream.open()
            hasOpenedStream = true
        }
        return part.stream
    }

    /// What reading a stream a second time throws.
    struct StreamCannotRewind: Error, CustomStringConvertible {
        var description: String { "a stream has been read and cannot be read again" }
    }
}

/// A part's file while it is read.
private final class OpenFile {
    private let descriptor: CInt

    init(_ part: PartFile) throws {
        // Without O_NONBLOCK a pipe that has taken the file's place would be waited for.
        descriptor = open(part.url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw SessionError.multipartEncodingFailed(reason: .bodyPartInputStreamCreationFailed(for: part.url))
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(SystemError.last) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SessionError.multipartEncodingFailed(reason: .bodyPartFileSizeNotAvailable(at: part.url))
        }
        guard UInt64(status.st_size) == part.length else { throw wrongLength(part.length, UInt64(status.st_size)) }
    }

    deinit { close(descriptor) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !buffer.isEmpty else { return 0 }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw failure(SystemError.last) }
        }
    }
}

extension InputStream {
    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        let count = read(start.assumingMemoryBound(to: UInt8.self), maxLength: buffer.count)
        guard count >= 0, streamStatus != .error else { throw failure(POSIXError(.EIO)) }
        return count
    }
}

private func failure(_ error: any Error) -> SessionError {
    .multipartEncodingFailed(reason: .inputStreamReadFailed(error: error))
}

private func wrongLength(_ expected: UInt64, _ found: UInt64) -> SessionError {
    failure(SessionError.UnexpectedInputStreamLength(bytesExpected: expected, bytesRead: found))
}
