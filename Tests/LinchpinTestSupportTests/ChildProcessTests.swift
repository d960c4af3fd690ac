import Foundation
import Glibc
import LinchpinTestSupport
import Testing

@Suite struct ChildProcessTests {
    @Test func `a program's output and ending are seen`() async throws {
        let process = try ChildProcess("sh", ["-c", "echo one; echo two >&2; exit 3"], in: TemporaryDirectory())
        #expect(try await eventually { process.ending == .exited(3) })
        #expect(process.output == "one\ntwo\n")
        #expect(process.terminate() == .exited(3))
    }

    @Test func `a line is found, and its absence noticed when the program ends`() async throws {
        let process = try ChildProcess("sh", ["-c", "echo port 80; sleep 60"], in: TemporaryDirectory())
        #expect(try await process.firstLine(matching: /port (\d+)/)?.1 == "80")
        process.terminate()
        #expect(try await process.firstLine(matching: /port (\d+) tls/) == nil)
    }

    @Test func `a program that ignores the request to end is ended, with its children`() async throws {
        let script = "trap '' TERM; sleep 60 & echo child $!; while :; do wait; done"
        let process = try ChildProcess("sh", ["-c", script], in: TemporaryDirectory())
        let child = try #require(try await process.firstLine(matching: /child (\d+)/)?.1)
        #expect(process.terminate(withinMilliseconds: 100) == .signalled(SIGKILL))
        #expect(try await eventually { program(of: child) == nil })
    }

    @Test func `a program ends with the last reference to it`() async throws {
        var process: ChildProcess? = try ChildProcess("sleep", ["60"], in: TemporaryDirectory())
        let pid = try #require(process?.pid)
        #expect(kill(pid, 0) == 0)
        process = nil
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
    }

    @Test func `a program ends with the process that started it`() async throws {
        // The middle process stands for the test process: it is ended without a chance to clean up.
        let script = "setpriv --pdeathsig TERM sleep 60 & echo child $!; wait"
        let middle = try ChildProcess("sh", ["-c", script], in: TemporaryDirectory())
        let child = try #require(try await middle.firstLine(matching: /child (\d+)/)?.1)
        try #require(try await eventually { program(of: child)?.hasSuffix("/sleep") == true })
        kill(middle.pid, SIGKILL)
        #expect(try await eventually { program(of: child) == nil })
    }

    /// The program that a process runs; nil when it has ended, even if nobody has collected its remains.
    private func program(of pid: Substring) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
    }

    @Test func `a program that is not installed is named`() throws {
        let error = #expect(throws: (any Error).self) {
            try ChildProcess("linchpin-no-such-program", [], in: TemporaryDirectory())
        }
        #expect("\(try #require(error))".contains("linchpin-no-such-program"))
    }

    @Test func `a running program costs no descriptor and no thread`() async throws {
        let directory = try TemporaryDirectory()
        let process = try ChildProcess("sleep", ["60"], in: directory)
        #expect(process.ending == nil)
        #expect(Descriptors.targets.values.allSatisfy { !$0.contains(directory.path) })
        #expect(Threads.count(named: "test-spawn") == 1)
        process.terminate()
    }

    @Test func `a directory goes with its contents`() throws {
        var directory: TemporaryDirectory? = try TemporaryDirectory()
        let path = try #require(try directory?.write("text", to: "file"))
        #expect(FileManager.default.contents(atPath: path) == Data("text".utf8))
        directory = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
