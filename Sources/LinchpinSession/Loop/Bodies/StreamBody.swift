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
        return StreamSource(stream, onReadable: onReadable)
    }
}

/// A stream on its way to the queue that reads it.
struct StreamBox: @unchecked Sendable {
    // Sendable: the caller has handed the stream over, and only StreamPump's serial queue touches it.
    let stream: InputStream

    init(_ stream: InputStream) { self.stream = stream }
}

/// The loop's end of a stream.
private final class StreamSource: BodySource {
    private let pump: StreamPump
    private var portion = Data()
    private var hasBegun = false

    init(_ stream: StreamBox, onReadable: @escaping @Sendable () -> Void) {
        pump = StreamPump(stream, onReadable: onReadable)
    }

    deinit { pump.stop() }

    var length: Int64? { nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(BodyError) -> BodyPortion {
        hasBegun = true
        if portion.isEmpty {
            switch pump.take() {
            case .data(let data): portion = data
            case .failed(let error): throw error
            case .end: return .end
            case .nothing: return .later
            }
        }
        let count = min(buffer.count, portion.count)
        portion.prefix(count).copyBytes(to: buffer)
        portion = portion.dropFirst(count)
        return .bytes(count)
    }

    func rewind() throws(BodyError) {
        guard !hasBegun else { throw BodyError(message: "a stream is read once, and the request has to be sent again") }
    }
}

/// Reads a stream ahead of the loop, by one portion.
private final class StreamPump: Sendable {
    enum Portion {
        case data(Data)
        case failed(BodyError)
        case end
        case nothing
    }

    private struct Guarded {
        var portion = Portion.nothing
        var isStopped = false
    }

    private let guarded = Mutex(Guarded())
    private let queue = DispatchQueue(label: "linchpin.session.body")
    private let box: StreamBox
    private let onReadable: @Sendable () -> Void

    private static let portionSize = 65_536

    init(_ box: StreamBox, onReadable: @escaping @Sendable () -> Void) {
        self.box = box
        self.onReadable = onReadable
        queue.async { box.stream.open() }
        readAhead()
    }

    /// What has been read; the end and an error stay.
    func take() -> Portion {
        let portion = guarded.withLock { guarded in
            let portion = guarded.portion
            if case .data = portion { guarded.portion = .nothing }
            return portion
        }
        if case .data = portion { readAhead() }
        return portion
    }

    /// Closes the stream once it is not being read.
    func stop() {
        guarded.withLock { $0.isStopped = true }
        queue.async { [box] in box.stream.close() }
    }

    /// The stream's own error is not asked for: Foundation leaves it abstract, which ends the process.
    private func readAhead() {
        queue.async { [self] in
            guard guarded.withLock({ !$0.isStopped }) else { return }
            var data = Data(count: Self.portionSize)
            let count = data.withUnsafeMutableBytes { bytes in
                bytes.bindMemory(to: UInt8.self).baseAddress.map { box.stream.read($0, maxLength: bytes.count) } ?? -1
            }
            let portion: Portion =
                switch count {
                case 0: .end
                case ..<0: .failed(BodyError(message: "reading the stream failed"))
                default: .data(data.prefix(count))
                }
            guarded.withLock { $0.portion = portion }
            onReadable()
        }
    }
}
