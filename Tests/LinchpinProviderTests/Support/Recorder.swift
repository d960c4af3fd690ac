import Synchronization

/// What happened, in its order; from any thread.
final class Recorder<Event: Sendable>: Sendable {
    private let recorded = Mutex<[Event]>([])

    var events: [Event] { recorded.withLock { $0 } }

    func record(_ event: Event) { recorded.withLock { $0.append(event) } }
}
