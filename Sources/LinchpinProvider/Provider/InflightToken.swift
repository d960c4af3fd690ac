internal import Dispatch
internal import Synchronization

/// Cancels one caller's interest in a request that others may wait for too.
final class InflightToken: Cancellable {
    private let table: InflightTable
    private let group: ObjectIdentifier
    private let seat: InflightTable.Seat
    private let cancelled = Atomic(false)

    init(table: InflightTable, group: ObjectIdentifier, seat: InflightTable.Seat) {
        self.table = table
        self.group = group
        self.seat = seat
    }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() {
        cancelled.store(true, ordering: .releasing)
        switch table.cancel(group, seat) {
        case .nothing: break
        // Never at once: the caller may hold a lock of its own.
        case .one(let caller): caller.queue.async { caller.ended(.failure(.cancelled), wasSent: false) }
        case .last(let call): call.cancel()
        }
    }
}
