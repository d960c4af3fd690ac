internal import Dispatch
internal import Foundation
internal import Synchronization

/// A body that comes from an input stream, which is read on a queue of its own: a stream may wait for its bytes, the
/// loop must not.
final class StreamBody: Sendable {
    private struct Guarded {
        /// Nil once a source has taken it: a stream is read once.
        var stream: StreamBox?
    }

    private let guarded: Mutex<Guarded>

    init(_ stream: InputStream) { guarded = Mutex(Guarded(stream: StreamBox(stream))) }

    /// The only reader of the stream.
    func begin(onReadable: @escaping @Sendable () -> Void) throws(BodyError) -> any BodySource {
        let stream = guarded.withLock { guarded in
            defer { guarded.stream = nil }
            return guarded.stream
        }
        guard let stream else {
            throw BodyError(message: "a stream is read once, and the request has to be sent again")
        }
        return PumpedSource(StreamReader(stream), length: nil, onReadable: onReadable)
    }
}

/// A stream on its way to the queue that reads it.
struct StreamBox: @unchecked Sendable {
    // Sendable: the caller has handed the stream over, and only the queue of a BodyPump touches it.
    let stream: InputStream

    init(_ stream: InputStream) { self.stream = stream }
}

/// Reads a stream from its start to its end, once.
private final class StreamReader: BlockingReader {
    private let stream: InputStream
    private var isOpen = false

    init(_ box: StreamBox) { stream = box.stream }

    deinit { stream.close() }

    /// The stream's own error is not asked for: Foundation leaves it abstract, which ends the process.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(BodyError) -> Int {
        if !isOpen { stream.open() }
        isOpen = true
        guard let start = buffer.bindMemory(to: UInt8.self).baseAddress else { return 0 }
        let count = stream.read(start, maxLength: buffer.count)
        guard count >= 0 else { throw BodyError(message: "reading the stream failed") }
        return count
    }
}
