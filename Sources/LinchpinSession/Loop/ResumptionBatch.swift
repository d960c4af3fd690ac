/// Tasks that wait for responses which are there.
///
/// A task's thread that wakes up takes the processor from the loop, where there is no other, and gives it back as soon as
/// the task waits again. Where many responses come at once this is the greater part of what a request costs the system:
/// so one thread is woken up for many, and wakes up others where there are processors for them.
struct ResumptionBatch: Sendable {
    private var continuations: [TaskHandler.Continuation] = []
    /// The highest of theirs.
    private var priority = TaskPriority.background

    /// How many the first has to wait for: not for all that may come in one turn of the loop.
    private static let size = 8

    init() {}

    /// A task alone.
    init(_ continuation: TaskHandler.Continuation) { continuations = [continuation] }

    /// Adds a task.
    ///
    /// - Returns: what is to be resumed now, without the lock under which this is called.
    mutating func add(_ continuation: TaskHandler.Continuation, _ priority: TaskPriority) -> ResumptionBatch? {
        self.priority = max(self.priority, priority)
        if continuations.isEmpty { continuations.reserveCapacity(Self.size) }
        continuations.append(continuation)
        return continuations.count < Self.size ? nil : take()
    }

    /// Takes what there is; nil for nothing.
    mutating func take() -> ResumptionBatch? {
        guard !continuations.isEmpty else { return nil }
        defer { self = ResumptionBatch() }
        return self
    }

    /// Resumes them all, a single one directly. By a task: what another of Dispatch's threads resumes takes the
    /// processor from that thread each time, where there is no other processor.
    func resume() {
        if continuations.count == 1 { return continuations[0].resume(returning: nil) }
        Task.detached(priority: priority) { [continuations] in
            for continuation in continuations { continuation.resume(returning: nil) }
        }
    }
}
