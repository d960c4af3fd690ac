internal import Foundation

/// The one thread that starts processes, alive as long as the test process.
///
/// The kernel sends PR_SET_PDEATHSIG when the *thread* that started a child ends (prctl(2)), and threads of the
/// concurrency pool come and go.
final class SpawningThread {
    static let shared = SpawningThread()
    static let name = "test-spawn"

    private let condition = NSCondition()
    private var jobs: [() -> Void] = []

    private init() {
        Thread { [self] in runJobs() }.start()
    }

    /// Runs `body` on the thread and waits for its end.
    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        var result: Result?
        jobs.append { result = body() }
        condition.broadcast()
        while true {
            if let result { return result }
            condition.wait()
        }
    }

    private func runJobs() {
        // Foundation forgets a name that is set before Thread.start() has returned to its caller.
        try? Data(Self.name.utf8).write(to: URL(filePath: "/proc/thread-self/comm"))
        condition.lock()
        while true {
            while jobs.isEmpty { condition.wait() }
            jobs.removeFirst()()
            condition.broadcast()
        }
    }
}

// The jobs and the results that they set are touched under the condition's lock only.
extension SpawningThread: @unchecked Sendable {}
