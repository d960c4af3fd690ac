import Foundation

extension Bench {
    /// Instructions as valgrind counts them, which do not depend on what else the machine does; left out without it or its headers.
    func instructions() throws {
        let isThere = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .contains { access("\($0)/valgrind", X_OK) == 0 }
        guard isThere, access("/usr/include/valgrind/callgrind.h", R_OK) == 0 else { return }
        let kept = isQuick ? 500 : 2_000
        let made = isQuick ? 60 : 300
        let settings = [
            ("HTTP/1.1 requests, 1 at once", smallAnswers("1.1", 1), kept),
            ("HTTP/1.1 requests, 32 at once", smallAnswers("1.1", 32), kept),
            ("HTTP/2 requests, 32 at once", smallAnswers("2", 32), kept),
            ("full handshakes, given CA", handshakes(nginx.full), made),
            ("resumed handshakes", handshakes(nginx.resumed), made),
        ]
        for (name, setting, count) in isQuick ? Array(settings[1...]) : settings {
            try report.addCost(
                "\(name), instructions",
                unit: "per request",
                ours: instructions([Self.program, "worker"] + setting.arguments, count),
                floor: instructions([Self.sibling("floor-bench")] + setting.arguments, count)
            )
        }
    }

    /// What a request costs, once the connections stand.
    private func instructions(_ command: [String], _ count: Int) throws -> Double {
        let counts = nginx.directory.appending(path: "counts").path
        let valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=\(counts)", "-q"]
        let child = try Child(valgrind + command, on: .client, errors: .nullDevice)
        defer { child.finish() }
        _ = try Round(child.ask("run 1000000 100"))
        _ = try Round(child.ask("counted \(count)"))
        // The first thing that was written on demand.
        let text = try String(contentsOfFile: "\(counts).1", encoding: .utf8)
        for line in text.split(separator: "\n") where line.hasPrefix("totals:") || line.hasPrefix("summary:") {
            if let sum = line.split(separator: " ").last.flatMap({ Double($0) }) { return sum / Double(count) }
        }
        throw BenchError("valgrind counted nothing")
    }
}
