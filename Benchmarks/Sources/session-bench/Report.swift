import Foundation

/// One comparison: `ratio` above 1 says that ours is better than the floor.
struct Row: Codable {
    let name: String
    let ours: Double
    let floor: Double
    let unit: String
    let ratio: Double
}

/// Rows as they come, for people, or as one JSON list at the end.
final class Report {
    private let isJSON: Bool
    private var rows: [Row] = []

    init(isJSON: Bool) { self.isJSON = isJSON }

    func add(_ name: String, unit: String, ours: Double, floor: Double, ratio: Double) throws {
        let row = Row(
            name: name,
            ours: Self.rounded(ours),
            floor: Self.rounded(floor),
            unit: unit,
            ratio: Self.rounded(ratio)
        )
        rows.append(row)
        let text =
            "\(Self.padded(row.name, 58)) \(Self.padded("\(row.ours)", 12)) \(Self.padded("\(row.floor)", 12)) "
            + "\(Self.padded(row.unit, 16)) \(row.ratio)\n"
        try (isJSON ? FileHandle.standardError : .standardOutput).write(contentsOf: Data(text.utf8))
    }

    /// A row of something that costs: less is better.
    func addCost(_ name: String, unit: String, ours: Double, floor: Double) throws {
        try add(name, unit: unit, ours: ours, floor: floor, ratio: ours > 0 ? floor / ours : 0)
    }

    func finish() throws {
        guard isJSON else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try FileHandle.standardOutput.write(contentsOf: encoder.encode(rows) + Data("\n".utf8))
    }

    /// Four significant digits.
    private static func rounded(_ value: Double) -> Double {
        guard value != 0, value.isFinite else { return 0 }
        let scale = pow(10, 3 - floor(log10(abs(value))))
        return scale > 1 ? (value * scale).rounded() / scale : value.rounded()
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }
}

extension Array where Element == Double {
    /// The middle one, or the mean of the two there.
    var median: Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
