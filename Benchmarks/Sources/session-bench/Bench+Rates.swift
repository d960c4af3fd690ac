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
        try report.add(
            name,
            unit: unit,
            ours: ours.map(\.rate).median,
            floor: floor.map(\.rate).median,
            ratio: zip(ours, floor).map { $0.rate / $1.rate }.median
        )
        try report.add(
            "\(name), CPU",
            unit: "s per 10,000",
            ours: ours.map(\.cpuSecondsFor10000).median,
            floor: floor.map(\.cpuSecondsFor10000).median,
            ratio: zip(ours, floor).map { $1.cpuSecondsFor10000 / $0.cpuSecondsFor10000 }.median
        )
    }

    func requests(_ version: String, _ concurrency: Int) throws {
        try compare(
            "HTTP/\(version) requests, \(concurrency) at once",
            unit: "per second",
            smallAnswers(version, concurrency)
        )
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

    func handshakes() throws {
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
