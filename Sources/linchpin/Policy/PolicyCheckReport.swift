internal import Foundation
internal import LinchpinTrust

/// What a policy file means, for a person or a script.
struct PolicyCheckReport: Encodable {
    /// One entry.
    struct Entry: Encodable {
        let pattern: String
        let checked: String
        let pins: [String]
        let pinsExpire: String?
        let pinDays: Int?
        let clientIdentity: String?
    }

    let refusesOtherHosts: Bool
    let entries: [Entry]

    init(_ file: PolicyFile, now: Date) {
        refusesOtherHosts = file.refusesOtherHosts
        entries = file.summaries.map { summary in
            Entry(
                pattern: summary.pattern,
                checked: summary.checks,
                pins: summary.pins.map(\.description),
                pinsExpire: summary.expiration?.date.rfc3339,
                pinDays: summary.expiration.map { Days.until($0.date, from: now) },
                clientIdentity: summary.clientIdentity
            )
        }
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    func text(_ path: String) -> String {
        var lines = ["\(path): a policy of \(entries.count) \(entries.count == 1 ? "entry" : "entries")"]
        for entry in entries {
            lines.append("  \(entry.pattern)")
            lines.append("    checked: \(entry.checked)")
            lines += entry.pins.map { "    pin:     \($0)" }
            if let date = entry.pinsExpire, let days = entry.pinDays {
                lines.append("    pins until \(date), \(Days.words(days))")
            }
            if let name = entry.clientIdentity {
                lines.append("    shown if asked: the client identity \(name.debugDescription)")
            }
        }
        lines.append("  other hosts: " + (refusesOtherHosts ? "refused" : "judged by the system's roots"))
        return lines.joined(separator: "\n")
    }
}

/// Whole days, as people count them.
enum Days {
    /// How many days are left; less than 0 for what is past.
    static func until(_ date: Date, from now: Date) -> Int {
        Int((date.timeIntervalSince(now) / 86_400).rounded(.down).clamped)
    }

    static func words(_ days: Int) -> String {
        days < 0 ? "\(-days) \(days == -1 ? "day" : "days") ago" : "in \(days) \(days == 1 ? "day" : "days")"
    }
}

extension Double {
    /// What fits an `Int` with room to spare.
    fileprivate var clamped: Double { Swift.min(Swift.max(self, -1e9), 1e9) }
}
