import Foundation

/// Starts the servers, lets the two clients take turns, and reports.
final class Bench {
    let isQuick: Bool
    let report: Report
    let nginx: Nginx

    init(isQuick: Bool, isJSON: Bool) throws {
        self.isQuick = isQuick
        report = Report(isJSON: isJSON)
        nginx = try Nginx()
        // A client that ends must not end this.
        signal(SIGPIPE, SIG_IGN)
    }

    func stop() { nginx.stop() }

    func run() throws {
        if ProcessInfo.processInfo.environment["ONLY"] == "i" { try instructions(); try report.finish(); return }
        for version in ["1.1", "2"] {
            for concurrency in [1, 32, 128] { try requests(version, concurrency) }
        }
        try handshakes()
        try requestsInFlight()
        try instructions()
        try report.finish()
    }

    /// The same client in two makes.
    struct Pair {
        let ours: Child
        let floor: Child

        func finish() {
            ours.finish()
            floor.finish()
        }
    }

    /// What both clients are started with.
    struct Setting {
        let url: String
        var version = "1.1"
        var concurrency = 1
        var trust = "none"
        var connections: Int?

        var arguments: [String] { [url, version, "\(concurrency)", trust] + (connections.map { ["\($0)"] } ?? []) }
    }

    func pair(_ setting: Setting) throws -> Pair {
        Pair(
            ours: try Child([Self.program, "worker"] + setting.arguments, on: .client),
            floor: try Child([Self.sibling("floor-bench")] + setting.arguments, on: .client)
        )
    }

    static let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""

    /// Another program of this package.
    static func sibling(_ name: String) -> String {
        URL(filePath: program).deletingLastPathComponent().appending(path: name).path
    }
}

/// What a client says of a round.
struct Round {
    let count: Double
    let seconds: Double
    let cpuSeconds: Double

    init(_ line: String) throws {
        let numbers = line.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 4 else { throw BenchError("a client said \"\(line)\"") }
        guard numbers[3] == 0, numbers[0] > 0 else { throw BenchError("\(numbers[3]) of \(numbers[0]) failed") }
        (count, seconds, cpuSeconds) = (numbers[0], numbers[1], numbers[2])
    }

    var rate: Double { count / seconds }
    var cpuSecondsFor10000: Double { cpuSeconds / count * 10_000 }
}

// MARK: - Rates

extension Bench {
    /// Lets both work for a while in turns, and reports the median of the pairs' ratios.
    private func compare(_ name: String, unit: String, _ setting: Setting) throws {
        let pair = try pair(setting)
        defer { pair.finish() }
        let milliseconds = isQuick ? 350 : 1_000
        let rounds = isQuick ? 7 : 11
        var ours: [Round] = []
        var floor: [Round] = []
        // The first round opens the connections and is not counted.
        for round in 0...rounds {
            // Whoever follows a busy moment of the machine follows it half of the time.
            let isOursFirst = round.isMultiple(of: 2)
            for turn in [isOursFirst, !isOursFirst] {
                let child = turn ? pair.ours : pair.floor
                let result = try Round(child.ask("run \(round == 0 ? 100 : milliseconds) 1000000000"))
                guard round > 0 else { continue }
                if turn { ours.append(result) } else { floor.append(result) }
            }
        }
        report.add(
            name,
            unit: unit,
            ours: ours.map(\.rate).median,
            floor: floor.map(\.rate).median,
            ratio: zip(ours, floor).map { $0.rate / $1.rate }.median
        )
        report.add(
            "\(name), CPU",
            unit: "s per 10,000",
            ours: ours.map(\.cpuSecondsFor10000).median,
            floor: floor.map(\.cpuSecondsFor10000).median,
            ratio: zip(ours, floor).map { $1.cpuSecondsFor10000 / $0.cpuSecondsFor10000 }.median
        )
    }

    private func requests(_ version: String, _ concurrency: Int) throws {
        try compare("HTTP/\(version) requests, \(concurrency) at once", unit: "per second", smallAnswers(version, concurrency))
    }

    /// Answers of 1 KiB over kept connections.
    func smallAnswers(_ version: String, _ concurrency: Int) -> Setting {
        Setting(
            url: "https://localhost:\(nginx.kept)/small",
            version: version,
            concurrency: concurrency,
            trust: "ca:\(nginx.givenAnchor)"
        )
    }

    private func handshakes() throws {
        try compare("full handshakes, given CA", unit: "per second", handshakes(nginx.full))
        try compare(
            "full handshakes, system's roots",
            unit: "per second",
            handshakes(nginx.full, trust: "stock:\(nginx.stockBundle)")
        )
        try compare("resumed handshakes", unit: "per second", handshakes(nginx.resumed))
    }

    /// A connection for each request; without a word about trust the given anchor.
    func handshakes(_ port: Int, trust: String? = nil) -> Setting {
        Setting(
            url: "https://localhost:\(port)/small",
            concurrency: 8,
            trust: trust ?? "ca:\(nginx.givenAnchor)"
        )
    }
}

// MARK: - Memory and instructions

extension Bench {
    /// 10,000 requests to a server that does not answer, first each with its connection, then all but 64 waiting.
    private func requestsInFlight() throws {
        try requestsInFlight("a waiting request of 10,000, each with a connection", connections: nil, isThreadsRow: true)
        try requestsInFlight("a waiting request of 10,000 for 64 connections", connections: 64, isThreadsRow: false)
    }

    private func requestsInFlight(_ name: String, connections: Int?, isThreadsRow: Bool) throws {
        let count = 10_000
        var kilobytes: [Double] = []
        var threads: [(few: Double, many: Double)] = []
        for isOurs in [true, false] {
            let server = try Child([Self.sibling("hold-server")], on: .server)
            defer { server.stop() }
            guard let port = try server.line().split(separator: " ").last else { throw BenchError("no port") }
            let pair = try pair(Setting(url: "http://127.0.0.1:\(port)/", connections: connections))
            defer { pair.finish() }
            let child = isOurs ? pair.ours : pair.floor
            // The thread that calls back is there after the first.
            _ = try held(1, child, server, most: connections)
            let (before, few) = try held(1, child, server, most: connections)
            let (after, many) = try held(count, child, server, most: connections)
            kilobytes.append((after - before) / Double(count - 1))
            threads.append((few, many))
        }
        report.addCost("memory of \(name)", unit: "KiB", ours: kilobytes[0], floor: kilobytes[1])
        if isThreadsRow {
            report.addCost(
                "threads with 10,000 requests in flight (floor: ours with 1)",
                unit: "threads",
                ours: threads[0].many,
                floor: threads[0].few
            )
        }
    }

    /// Holds requests until the client's memory stands still, and says how much it is then, in KiB, and how many
    /// threads there are.
    private func held(_ count: Int, _ child: Child, _ server: Child, most: Int?) throws -> (Double, Double) {
        _ = try server.ask("hold")
        guard try child.ask("hold \(count)") == "begun" else { throw BenchError("the client did not begin") }
        let end = ContinuousClock.now + .seconds(60)
        while try Int(server.ask("count")) != min(count, most ?? count) {
            guard ContinuousClock.now < end else { throw BenchError("not all requests came") }
            usleep(20_000)
        }
        var memory = try child.status("VmRSS")
        for _ in 0..<40 {
            usleep(200_000)
            let earlier = memory
            memory = try child.status("VmRSS")
            if memory == earlier { break }
        }
        let threads = try child.status("Threads")
        _ = try server.ask("release")
        _ = try Round(child.line())
        return (memory, threads)
    }

    /// Instructions as valgrind counts them, which do not depend on what else the machine does; left out without it.
    private func instructions() throws {
        let isThere = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .contains { access("\($0)/valgrind", X_OK) == 0 }
        guard isThere else { return }
        let kept = isQuick ? 500 : 2_000
        let made = isQuick ? 60 : 300
        let settings = [
            ("HTTP/1.1 requests, 1 at once", smallAnswers("1.1", 1), kept),
            ("HTTP/1.1 requests, 32 at once", smallAnswers("1.1", 32), kept),
            ("HTTP/2 requests, 32 at once", smallAnswers("2", 32), kept),
            ("full handshakes, given CA", handshakes(nginx.full), made),
            ("resumed handshakes", handshakes(nginx.resumed), made),
        ]
        for (name, setting, count) in settings {
            report.addCost(
                "\(name), instructions",
                unit: "per request",
                ours: try instructions([Self.program, "worker"] + setting.arguments, count),
                floor: try instructions([Self.sibling("floor-bench")] + setting.arguments, count)
            )
        }
    }

    /// What a request costs: the difference between many and few of them.
    private func instructions(_ command: [String], _ count: Int) throws -> Double {
        let few = 100
        let difference = try instructions(command, requests: few + count) - instructions(command, requests: few)
        return difference / Double(count)
    }

    private func instructions(_ command: [String], requests: Int) throws -> Double {
        let counts = nginx.directory.appending(path: "counts").path
        let valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=\(counts)", "-q"]
        let child = try Child(valgrind + command, on: .client, errors: .nullDevice)
        _ = try Round(child.ask("run 600000 \(requests)"))
        child.finish()
        let text = try String(contentsOfFile: counts, encoding: .utf8)
        for line in text.split(separator: "\n") where line.hasPrefix("totals:") || line.hasPrefix("summary:") {
            if let count = line.split(separator: " ").last.flatMap({ Double($0) }) { return count }
        }
        throw BenchError("valgrind counted nothing")
    }
}
