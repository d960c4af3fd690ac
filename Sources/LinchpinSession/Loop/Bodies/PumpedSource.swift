internal import Dispatch
internal import Foundation
internal import Synchronization

/// What has to be waited for; used by one ``BodyPump``, on its queue.
protocol BlockingReader: AnyObject {
    /// Fills the buffer as far as it can, waiting for at least one byte; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(BodyError) -> Int
}

/// The loop's end of a body that another queue reads, since reading it may take its time.
final class PumpedSource: BodySource {
    let length: Int64?
    private let pump: BodyPump
    private var portion = Data()
    private var hasBegun = false

    init(_ reader: sending any BlockingReader, length: Int64?, onReadable: @escaping @Sendable () -> Void) {
        self.length = length
        pump = BodyPump(reader, onReadable: onReadable)
    }

    deinit { pump.stop() }

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

/// Reads a body ahead of the loop, by one portion.
private final class BodyPump: Sendable {
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

    /// Only touched on the queue.
    private struct ReaderBox: @unchecked Sendable {
        // Sendable: the reader was handed over, and the queue below is serial.
        let reader: any BlockingReader
    }

    private let guarded = Mutex(Guarded())
    private let queue = DispatchQueue(label: "linchpin.session.body")
    private let box: ReaderBox
    private let onReadable: @Sendable () -> Void

    private static let portionSize = 65_536

    init(_ reader: any BlockingReader, onReadable: @escaping @Sendable () -> Void) {
        box = ReaderBox(reader: reader)
        self.onReadable = onReadable
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

    /// Nothing more is read.
    func stop() { guarded.withLock { $0.isStopped = true } }

    private func readAhead() {
        queue.async { [self] in
            guard guarded.withLock({ !$0.isStopped }) else { return }
            let portion = next()
            guarded.withLock { $0.portion = portion }
            onReadable()
        }
    }

    private func next() -> Portion {
        var data = Data(count: Self.portionSize)
        let result = data.withUnsafeMutableBytes { bytes in
            Result { () throws(BodyError) in try box.reader.read(into: bytes) }
        }
        return switch result {
        case .success(0): .end
        case .success(let count): .data(data.prefix(count))
        case .failure(let error): .failed(error)
        }
    }
}
