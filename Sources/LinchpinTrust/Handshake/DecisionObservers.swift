internal import Dispatch
internal import Foundation
internal import Synchronization

/// Who wants to know of decisions.
final class DecisionObservers: Sendable {
    private struct Observer: Sendable {
        let queue: DispatchQueue
        let body: @Sendable (TrustDecision) -> Void
    }

    private let observers = Mutex<[UUID: Observer]>([:])

    func add(queue: DispatchQueue, _ body: @escaping @Sendable (TrustDecision) -> Void) -> UUID {
        let token = UUID()
        observers.withLock { $0[token] = Observer(queue: queue, body: body) }
        return token
    }

    func remove(_ token: UUID) {
        // It goes after the lock: the end of what it holds may remove it again.
        let observer = observers.withLock { $0.removeValue(forKey: token) }
        withExtendedLifetime(observer) {}
    }

    /// Tells everybody, each on their queue; makes no decision where nobody listens.
    func tell(_ decision: () -> TrustDecision) {
        let listeners = observers.withLock { Array($0.values) }
        guard !listeners.isEmpty else { return }
        let decision = decision()
        for listener in listeners { listener.queue.async { listener.body(decision) } }
    }
}
