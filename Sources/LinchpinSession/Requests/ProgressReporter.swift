internal import Dispatch
internal import Synchronization

/// Tells how far a transfer is, to whoever wants to know; the latest state only, so that nothing piles up.
final class ProgressReporter: Sendable {
    private struct Observer {
        let queue: DispatchQueue
        let closure: @Sendable (TransferProgress) -> Void
        /// Whether the closure is due to be called, with what is the latest by then.
        var isDue = false
    }

    private struct Guarded {
        var progress: TransferProgress?
        var observers: [Observer] = []
        var streams: [AsyncStream<TransferProgress>.Continuation] = []
        var hasEnded = false
    }

    private let guarded = Mutex(Guarded())

    /// So many bytes have gone.
    func report(_ count: Int64, of total: Int64?) {
        let progress = TransferProgress(completedUnitCount: count, totalUnitCount: total)
        let due = guarded.withLock { guarded -> [Int] in
            guarded.progress = progress
            for stream in guarded.streams { stream.yield(progress) }
            return guarded.observers.indices.filter { index in
                defer { guarded.observers[index].isDue = true }
                return !guarded.observers[index].isDue
            }
        }
        for index in due { schedule(index) }
    }

    private func schedule(_ index: Int) {
        let queue = guarded.withLock { $0.observers[index].queue }
        queue.async { [self] in
            let (progress, closure) = guarded.withLock { guarded in
                guarded.observers[index].isDue = false
                return (guarded.progress, guarded.observers[index].closure)
            }
            if let progress { closure(progress) }
        }
    }

    /// What was reported last; nil before anything was.
    var latest: TransferProgress? { guarded.withLock { $0.progress } }

    /// Adds somebody who wants to know.
    func observe(on queue: DispatchQueue, _ closure: @escaping @Sendable (TransferProgress) -> Void) {
        guarded.withLock { $0.observers.append(Observer(queue: queue, closure: closure)) }
    }

    /// Every state that is not overtaken by a later one; ends with the transfer.
    func stream() -> AsyncStream<TransferProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TransferProgress.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let hasEnded = guarded.withLock { guarded in
            if let progress = guarded.progress { continuation.yield(progress) }
            if !guarded.hasEnded { guarded.streams.append(continuation) }
            return guarded.hasEnded
        }
        if hasEnded { continuation.finish() }
        return stream
    }

    /// Nothing more goes.
    func end() {
        let streams = guarded.withLock { guarded in
            guarded.hasEnded = true
            defer { guarded.streams = [] }
            return guarded.streams
        }
        for stream in streams { stream.finish() }
    }
}
