internal import Foundation
package import Glibc
internal import Synchronization

/// A program that runs for one test: in a process group of its own, without input, its output in a file.
///
/// It ends with ``terminate()``, with the last reference to it, or with the test process, whichever comes first.
/// Output goes to a file so that a running child costs the test process no thread and no descriptor, which tests count.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// The process, which is also the number of its group.
    package let pid: pid_t
    private let outputPath: String
    private let directory: TemporaryDirectory
    private let state = Mutex<Ending?>(nil)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: its name, looked for in `PATH` and `/usr/sbin`.
    ///   - arguments: what follows the name.
    ///   - environment: variables added to those of the test process.
    ///   - descriptorThree: a descriptor that the child gets as its number 3.
    ///   - directory: where the file of its output is made; it lives as long as the process.
    package init(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        descriptorThree: Int32? = nil,
        in directory: TemporaryDirectory
    ) throws {
        let path = try Executable.path(of: program)
        var words = [path] + arguments
        if let setpriv = try? Executable.path(of: "setpriv") { words = [setpriv, "--pdeathsig", "TERM"] + words }
        let outputPath = directory.path(of: "\(URL(fileURLWithPath: path).lastPathComponent).out")
        let launch = Launch(
            words: words,
            environment: ProcessInfo.processInfo.environment.merging(Self.sanitizing) { $1 }
                .merging(environment) { $1 },
            descriptorThree: descriptorThree,
            outputPath: outputPath
        )
        pid = try SpawningThread.shared.run { Result { try launch.start() } }.get()
        self.outputPath = outputPath
        self.directory = directory
    }

    /// This package's own programs do not tell the thread sanitizer of Swift's Mutex, as the tests do (Tests/CSupport):
    /// it takes every lock that was waited for for a race. Their code runs in the tests' process as well.
    private static let sanitizing = ["TSAN_OPTIONS": "report_bugs=0"]

    deinit { terminate() }

    /// What it has written to its standard output and error so far.
    package var output: String {
        (FileManager.default.contents(atPath: outputPath)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// How it ended; nil while it runs.
    package var ending: Ending? {
        state.withLock { ending in
            if ending == nil, hasEnded { ending = reap() }
            return ending
        }
    }

    /// Sends a signal to the process; does nothing when it has ended.
    package func send(signal: Int32) {
        state.withLock { ending in
            if ending == nil { kill(pid, signal) }
        }
    }

    /// Asks the process to end, and makes it end when it does not in time. Children of its own end too.
    @discardableResult
    package func terminate(withinMilliseconds grace: Int32 = 3_000) -> Ending {
        state.withLock { ending in
            if let ending { return ending }
            kill(pid, SIGTERM)
            // A stopped process takes the signal when it goes on.
            kill(pid, SIGCONT)
            for _ in 0..<(grace / 2) where !hasEnded { poll(nil, 0, 2) }
            let result = reap()
            ending = result
            return result
        }
    }

    /// Waits until a line of the output matches.
    ///
    /// - Returns: the expression's output, or nil when the process ended or the time was up before one did.
    package func firstLine<Output>(
        matching expression: Regex<Output>,
        within seconds: Double = 10
    ) async throws -> Output? {
        var found: Output?
        try await eventually(within: seconds) {
            let hasEnded = ending != nil
            // The last line may be half written.
            let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            found = try lines.lazy.compactMap { try expression.firstMatch(in: $0)?.output }.first
            return found != nil || hasEnded
        }
        return found
    }

    /// Whether it has ended; it stays a zombie, so that its number is not given to another process.
    private var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
    }

    /// Ends what is left of the group while its number is still taken, and forgets the process.
    private func reap() -> Ending {
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }
}

/// What posix_spawn(3) needs to know.
private struct Launch: Sendable {
    let words: [String]
    let environment: [String: String]
    let descriptorThree: Int32?
    let outputPath: String

    func start() throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        if let descriptorThree { posix_spawn_file_actions_adddup2(&actions, descriptorThree, 3) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        var defaultSignals = sigset_t()
        sigemptyset(&defaultSignals)
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGCHLD] { sigaddset(&defaultSignals, signal) }
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setsigdefault(&attributes, &defaultSignals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &variables)
        guard failure == 0 else { throw SystemCallFailure("starting \(words[0])", number: failure) }
        return pid
    }
}
