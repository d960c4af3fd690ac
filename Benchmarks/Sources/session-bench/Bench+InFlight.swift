import Glibc

extension Bench {
    /// 10,000 requests to a server that does not answer, first each with its connection, then all but 64 waiting.
    func requestsInFlight() throws {
        try requestsInFlight(
            "a waiting request of 10,000, each with a connection",
            connections: nil,
            isThreadsRow: true
        )
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
        try report.addCost("memory of \(name)", unit: "KiB", ours: kilobytes[0], floor: kilobytes[1])
        if isThreadsRow {
            try report.addCost(
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
}
