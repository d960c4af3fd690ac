import Foundation

extension Bench {
    /// A file of 1 GiB each way: how fast, and what memory it takes at most.
    func largeTransfers() throws {
        let copy = nginx.directory.appending(path: "copy").path
        try largeTransfer("download", "/big", file: copy)
        try largeTransfer("upload", "/sent", file: nginx.directory.appending(path: "files/big").path)
    }

    /// Each client is started anew for each round, so that its peak is that of one transfer.
    private func largeTransfer(_ command: String, _ path: String, file: String) throws {
        var ours: [(round: Round, peak: Double)] = []
        var floor: [(round: Round, peak: Double)] = []
        let setting = Setting(
            url: "https://localhost:\(nginx.kept)\(path)",
            trust: "ca:\(nginx.givenAnchor)"
        )
        for round in 0..<(isQuick ? 3 : 7) {
            let isOursFirst = round.isMultiple(of: 2)
            for turn in [isOursFirst, !isOursFirst] {
                let pair = try pair(setting)
                defer { pair.finish() }
                let child = turn ? pair.ours : pair.floor
                // To give an old file's memory back is no part of the work.
                if command == "download" { try? FileManager.default.removeItem(atPath: file) }
                let result = try Round(child.ask("\(command) \(file)"))
                guard Int(result.count) == Nginx.bigSize else { throw BenchError("a \(command) was cut off") }
                let peak = try child.status("VmHWM") / 1_024
                if turn { ours.append((result, peak)) } else { floor.append((result, peak)) }
            }
        }
        try report.add(
            "\(command) of 1 GiB",
            unit: "MB/s",
            ours: ours.map { $0.round.rate / 1e6 }.median,
            floor: floor.map { $0.round.rate / 1e6 }.median,
            ratio: zip(ours, floor).map { $0.round.rate / $1.round.rate }.median
        )
        try report.addCost(
            "\(command) of 1 GiB, CPU",
            unit: "s",
            ours: ours.map(\.round.cpuSeconds).median,
            floor: floor.map(\.round.cpuSeconds).median
        )
        try report.addCost(
            "\(command) of 1 GiB, peak memory",
            unit: "MiB",
            ours: ours.map(\.peak).median,
            floor: floor.map(\.peak).median
        )
    }
}
