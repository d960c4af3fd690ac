internal import Foundation
internal import Synchronization

/// What one reader of a stream has not read yet.
final class ChunkBuffer: Sendable {
    /// What a reader finds.
    enum Item: Sendable {
        case chunk(Data)
        case end(ExchangeOutcome)
    }

    private struct Guarded {
        var chunks: [Data] = []
        var first = 0
        var byteCount = 0
        var outcome: ExchangeOutcome?
        var hasEnded = false
        /// Called once, when there is something to read.
        var waiter: (@Sendable () -> Void)?
    }

    private let guarded = Mutex(Guarded())
    /// From so many bytes on nothing more is taken.
    private static let limit = 262_144

    var isFull: Bool { guarded.withLock { $0.byteCount >= Self.limit } }

    func append(_ chunk: Data) {
        let waiter = guarded.withLock { guarded in
            guarded.chunks.append(chunk)
            guarded.byteCount += chunk.count
            defer { guarded.waiter = nil }
            return guarded.waiter
        }
        waiter?()
    }

    /// No chunk comes any more.
    func end(_ outcome: ExchangeOutcome) {
        let waiter = guarded.withLock { guarded in
            guarded.outcome = outcome
            defer { guarded.waiter = nil }
            return guarded.waiter
        }
        waiter?()
    }

    /// The next chunk, or after the last one the end, once; nil where there is nothing yet or nothing any more.
    func take() -> Item? {
        guarded.withLock { guarded in
            guard guarded.first < guarded.chunks.count else {
                guard let outcome = guarded.outcome, !guarded.hasEnded else { return nil }
                guarded.hasEnded = true
                return .end(outcome)
            }
            let chunk = guarded.chunks[guarded.first]
            guarded.chunks[guarded.first] = Data()
            guarded.first += 1
            if guarded.first == guarded.chunks.count {
                guarded.chunks.removeAll(keepingCapacity: true)
                guarded.first = 0
            }
            guarded.byteCount -= chunk.count
            return .chunk(chunk)
        }
    }

    /// Whether the end has been read.
    var hasEnded: Bool { guarded.withLock { $0.hasEnded } }

    /// Calls back once there is something to read, at once if there is.
    func whenReadable(_ waiter: @escaping @Sendable () -> Void) {
        let isReadable = guarded.withLock { guarded in
            let isReadable = !guarded.chunks.isEmpty || guarded.outcome != nil
            if !isReadable { guarded.waiter = waiter }
            return isReadable
        }
        if isReadable { waiter() }
    }
}

/// Ends a stream for its reader.
final class ReaderHandler: ResponseHandler {
    private let buffer: ChunkBuffer

    init(_ buffer: ChunkBuffer) { self.buffer = buffer }

    func run(_ outcome: ExchangeOutcome, on loop: EventLoop?) { buffer.end(outcome) }

    func make(_ outcome: ExchangeOutcome) -> MadeResponse {
        MadeResponse(error: nil) { [buffer] in buffer.end(outcome) }
    }
}
