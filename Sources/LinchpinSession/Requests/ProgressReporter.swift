internal import Dispatch
internal import Synchronization

/// How far a transfer is; tells those who want to know, of whom most requests have none.
struct ProgressReporter: ~Copyable, Sendable {
    // Not private: Swift 6.3 cannot compile other files that lay this type out if it is.
    struct Guarded {
        var progress: TransferProgress?
        var audience: ProgressAudience?
        var hasEnded = false
    }

    private let guarded = Mutex(Guarded())

    /// So many bytes have gone.
    func report(_ count: Int64, of total: Int64?) {
        let progress = TransferProgress(completedUnitCount: count, totalUnitCount: total)
        let audience = guarded.withLock { guarded in
            guarded.progress = progress
            return guarded.audience
        }
        audience?.tell(progress)
    }

    /// What was reported last; nil before anything was.
    var latest: TransferProgress? { guarded.withLock { $0.progress } }

    /// Adds somebody who wants to know.
    func observe(on queue: DispatchQueue, _ closure: @escaping @Sendable (TransferProgress) -> Void) {
        guarded.withLock { Self.audience(&$0) }.observe(on: queue, closure)
    }

    /// Every state that is not overtaken by a later one; ends with the transfer.
    func stream() -> AsyncStream<TransferProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TransferProgress.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let hasEnded = guarded.withLock { guarded in
            if let progress = guarded.progress { continuation.yield(progress) }
            if !guarded.hasEnded { Self.audience(&guarded).add(continuation) }
            return guarded.hasEnded
        }
        if hasEnded { continuation.finish() }
        return stream
    }

    /// Nothing more goes.
    func end() {
        let audience = guarded.withLock { guarded in
            guarded.hasEnded = true
            return guarded.audience
        }
        audience?.end()
    }

    private static func audience(_ guarded: inout Guarded) -> ProgressAudience {
        if let audience = guarded.audience { return audience }
        let audience = ProgressAudience()
        guarded.audience = audience
        return audience
    }
}
