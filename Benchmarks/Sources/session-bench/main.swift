import Foundation

// `session-bench [--quick] [--json]` starts servers and clients and prints the rows; `session-bench worker …` is the
// client that is measured.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "worker" {
    let worker = try Worker(Array(arguments.dropFirst()))
    // Not an asynchronous main: valgrind does not survive how such a one waits.
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
        await worker.obey()
        ended.signal()
    }
    ended.wait()
} else {
    let known: Set = ["--quick", "--json"]
    guard known.isSuperset(of: arguments) else {
        FileHandle.standardError.write(Data("usage: session-bench [--quick] [--json]\n".utf8))
        exit(2)
    }
    let bench = try Bench(isQuick: arguments.contains("--quick"), isJSON: arguments.contains("--json"))
    defer { bench.stop() }
    do {
        try bench.run()
    } catch {
        FileHandle.standardError.write(Data("session-bench: \(error)\n".utf8))
        bench.stop()
        exit(1)
    }
}
