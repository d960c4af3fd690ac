internal import Foundation
internal import Synchronization

/// Gives every chunk of a stream to each of its readers, as fast as the slowest of them reads.
final class ChunkDistributor: Sendable {
    private struct Guarded {
        var buffers: [ChunkBuffer] = []
        /// Whether a chunk was turned away, so that the transfer waits.
        var isWaiting = false
        var hasHandedOn = false
        /// What came before there was a reader.
        var kept: Data?
    }

    private let guarded = Mutex(Guarded())
    private let onReady: @Sendable () -> Void

    /// - Parameters:
    ///   - onReady: called on any thread when a chunk that was turned away may come again.
    init(onReady: @escaping @Sendable () -> Void) { self.onReady = onReady }

    /// Whether a chunk was given to anybody.
    var hasHandedOn: Bool { guarded.withLock { $0.hasHandedOn } }

    /// Adds a reader, who gets the chunks that come from now on.
    func add(_ buffer: ChunkBuffer) {
        let kept = guarded.withLock { guarded in
            guarded.buffers.append(buffer)
            defer { guarded.kept = nil }
            return guarded.kept
        }
        if let kept { buffer.append(kept) }
        drained()
    }

    /// Takes a reader away, who waits no longer.
    func remove(_ buffer: ChunkBuffer) {
        guarded.withLock { $0.buffers.removeAll { $0 === buffer } }
    }

    /// - Parameters:
    ///   - chunk: makes the chunk; not called where nobody can take it.
    /// - Returns: whether every reader took it. Where there is no reader, nobody did.
    func offer(_ chunk: () -> Data) -> Bool {
        let buffers = guarded.withLock { guarded -> [ChunkBuffer] in
            guarded.isWaiting = guarded.buffers.isEmpty || guarded.buffers.contains(where: \.isFull)
            if guarded.isWaiting { return [] }
            guarded.hasHandedOn = true
            return guarded.buffers
        }
        guard !buffers.isEmpty else { return false }
        let chunk = chunk()
        for buffer in buffers { buffer.append(chunk) }
        return true
    }

    /// Takes a chunk after which nothing comes; the first reader gets it where there is none yet.
    func keep(_ chunk: Data) {
        let buffers = guarded.withLock { guarded in
            guarded.hasHandedOn = true
            if guarded.buffers.isEmpty { guarded.kept = chunk }
            return guarded.buffers
        }
        for buffer in buffers { buffer.append(chunk) }
    }

    /// A reader has read.
    func drained() {
        let isReady = guarded.withLock { guarded in
            guard guarded.isWaiting, !guarded.buffers.isEmpty, !guarded.buffers.contains(where: \.isFull) else {
                return false
            }
            guarded.isWaiting = false
            return true
        }
        if isReady { onReady() }
    }
}
