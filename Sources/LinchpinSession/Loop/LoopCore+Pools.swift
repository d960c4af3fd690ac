internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import FoundationNetworking
internal import LinchpinTrust

extension LoopCore {
    /// The pool for connections that are judged by this state of the table. An expired one is retired already.
    func pool(generation: Int) throws(SessionError) -> ConnectionPool {
        if let current, current.generation == generation { return current }
        retireCurrentPool()
        pools = (pools + 1) % 0x7FFF_FFFF
        let pool = try ConnectionPool(
            number: pools,
            generation: generation,
            configuration: configuration,
            manager: manager,
            poller: poller,
            clock: clock
        )
        pool.deadlineChanged = { [unowned self] hop in
            // A later one is looked at when the earlier one has come.
            let deadline = hop.exchange.nextDeadline
            if deadline < hop.exchange.deadline { deadlines.schedule(hop.exchange, at: deadline) }
        }
        current = pool
        return pool
    }

    func retireCurrentPool() {
        guard let pool = current else { return }
        current = nil
        recentURLs.forgetRoutes()
        retired.append(pool)
    }

    /// Only between the turns of the loop: within one a pool is in use, and the hop that ended last still has a handle.
    func closeEmptyPools() {
        for pool in retired where pool.isEmpty { pool.close() }
        retired.removeAll(where: \.isEmpty)
    }

    /// Closes the connections as soon as a certificate that let one of them in has expired.
    func retireExpiredPool() {
        guard let current, current.validUntil.isOver(at: configuration.now()) else { return }
        retireCurrentPool()
    }

    var nextDeadline: Int64 {
        var next = min(deadlines.first?.deadline ?? .max, expiryDeadline)
        if let current { next = min(next, current.timerDeadline) }
        for pool in retired { next = min(next, pool.timerDeadline) }
        return next
    }

    /// When to look at the certificates' validity; the wall clock can be set, so no later than an hour from now.
    var expiryDeadline: Int64 {
        guard let current, current.validUntil < .distantFuture else { return .max }
        let left = current.validUntil.endOfSecond.timeIntervalSince(configuration.now()) + 0.001
        return clock.now.advanced(bySeconds: min(max(left, 0.001), 3_600))
    }
}
