internal import Dispatch
internal import Synchronization

/// Who wants to know how far a transfer is; told of the latest state only, so that nothing piles up.
final class ProgressAudience: Sendable {
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
    }

    private let guarded = Mutex(Guarded())

    /// This is how far it is.
    func tell(_ progress: TransferProgress) {
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

    /// Adds somebody who is called back.
    func observe(on queue: DispatchQueue, _ closure: @escaping @Sendable (TransferProgress) -> Void) {
        guarded.withLock { $0.observers.append(Observer(queue: queue, closure: closure)) }
    }

    /// Adds somebody who reads.
    func add(_ stream: AsyncStream<TransferProgress>.Continuation) { guarded.withLock { $0.streams.append(stream) } }

    /// Nothing more goes.
    func end() {
        let streams = guarded.withLock { guarded in
            defer { guarded.streams = [] }
            return guarded.streams
        }
        for stream in streams { stream.finish() }
    }
}
