internal import Foundation

/// The rows for a person or for a script.
enum DemoReport {
    private struct Document: Encodable {
        let rows: [DemoRow]
    }

    static func json(_ rows: [DemoRow]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Document(rows: rows)), as: UTF8.self)
    }

    /// Columns as wide as their longest entry, and a line that sums up.
    static func table(_ rows: [DemoRow]) -> String {
        let head = ["", "what", "expected", "happened", "HTTP bytes", "reason"]
        let cells = rows.map { row in
            [
                row.isAsExpected ? "ok" : "NOT OK", row.name, row.expected, row.happened, "\(row.httpBytes)",
                shortened(row.reason),
            ]
        }
        let widths = head.indices.map { column in ([head] + cells).map { $0[column].count }.max() ?? 0 }
        let lines = ([head] + cells).map { line in
            zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }
        let good = rows.count(where: \.isAsExpected)
        let ruler = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
        let sum = "\(good) of \(rows.count) rows are as they should be; --json has the reasons in full."
        return ([lines[0], ruler] + lines.dropFirst() + ["", sum])
            .map { String($0.reversed().drop { $0 == " " }.reversed()) }
            .joined(separator: "\n")
    }

    /// One line; `--json` has all of it.
    private static func shortened(_ reason: String) -> String {
        let line = reason.prefix { $0 != "\n" }
        return line.count > 44 ? "\(line.prefix(43))…" : String(line)
    }
}
