internal import Dispatch
internal import LinchpinSession
internal import Synchronization

/// Who waits for which request, where a provider sends equal ones only once. All of it is one critical section, and
/// nobody is called inside it.
final class InflightTable: Sendable {
    /// Tells one group of callers from others, also from a later one that asked for the same.
    final class Group: Sendable {}

    /// Tells one caller from others.
    final class Seat: Sendable {}

    /// What a cancellation asks for.
    enum Cancellation {
        /// Nothing: the request has ended.
        case nothing
        /// Tell this caller; others still wait.
        case one(Caller)
        /// Nobody else waits: cancel the request, which then tells the caller.
        case last(ProviderCall)
    }

    private struct Waiting {
        let key: InflightKey
        let call: ProviderCall
        var callers: [(seat: Seat, caller: Caller)]
    }

    private struct State {
        /// The groups that may still be joined.
        var open: [InflightKey: ObjectIdentifier] = [:]
        var groups: [ObjectIdentifier: Waiting] = [:]

        mutating func close(_ key: InflightKey, of group: ObjectIdentifier) {
            if open[key] == group { open[key] = nil }
        }
    }

    private let state = Mutex(State())

    /// Lets the caller wait for the request under way, if there is one, else for `call`.
    ///
    /// - Returns: what cancels for this caller alone, and whether `call` is to be started.
    func join(
        _ key: InflightKey,
        group: Group,
        call: ProviderCall,
        caller: Caller
    ) -> (token: InflightToken, isFirst: Bool) {
        let seat = Seat()
        let own = ObjectIdentifier(group)
        let (joined, isFirst) = state.withLock { state in
            if let open = state.open[key] {
                state.groups[open]?.callers.append((seat, caller))
                return (open, false)
            }
            state.open[key] = own
            state.groups[own] = Waiting(key: key, call: call, callers: [(seat, caller)])
            return (own, true)
        }
        return (InflightToken(table: self, group: joined, seat: seat), isFirst)
    }

    /// The caller does not want the answer any more.
    func cancel(_ group: ObjectIdentifier, _ seat: Seat) -> Cancellation {
        state.withLock { state in
            guard let place = state.groups[group]?.callers.firstIndex(where: { $0.seat === seat }),
                let waiting = state.groups[group]
            else { return .nothing }
            guard waiting.callers.count == 1 else {
                return .one(state.groups[group]?.callers.remove(at: place).caller ?? waiting.callers[place].caller)
            }
            state.close(waiting.key, of: group)
            return .last(waiting.call)
        }
    }

    /// The request has ended.
    ///
    /// - Returns: who is to be told, in the order in which they came.
    func end(_ group: Group) -> [Caller] {
        let group = ObjectIdentifier(group)
        let waiting = state.withLock { state in
            let waiting = state.groups.removeValue(forKey: group)
            if let waiting { state.close(waiting.key, of: group) }
            return waiting
        }
        return waiting?.callers.map(\.caller) ?? []
    }

    /// Who waits for the request.
    func callers(of group: Group) -> [Caller] {
        state.withLock { $0.groups[ObjectIdentifier(group)]?.callers.map(\.caller) ?? [] }
    }
}

/// All callers of one request.
struct InflightCallers: CallReceiver {
    let table: InflightTable
    let group: InflightTable.Group
    /// Where the request ends.
    let queue: DispatchQueue

    func ended(_ outcome: CallWork.Outcome, wasSent: Bool) {
        for caller in table.end(group) {
            if caller.queue === queue {
                caller.ended(outcome, wasSent: wasSent)
            } else {
                caller.queue.async { caller.ended(outcome, wasSent: wasSent) }
            }
        }
    }

    /// Somebody who does may come at any time.
    var wantsProgress: Bool { true }

    func progressed(_ progress: TransferProgress) {
        for caller in table.callers(of: group) where caller.wantsProgress {
            if caller.queue === queue {
                caller.progressed(progress)
            } else {
                caller.queue.async { caller.progressed(progress) }
            }
        }
    }
}
