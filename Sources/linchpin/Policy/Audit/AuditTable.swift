internal import Foundation

/// An audit for somebody at a terminal.
struct AuditTable {
    let report: AuditReport

    var text: String {
        let head = ["", "host", "outcome", "chain ends", "pins end", "pin", "backup", "revocation", "transparency"]
        let rows = report.hosts.map(cells)
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        let lines = ([head] + rows).map { line in
            zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }
        let ruler = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
        let details = report.hosts.flatMap(details)
        return ([lines[0], ruler] + lines.dropFirst() + [""] + details + [report.summary])
            .map { String($0.reversed().drop { $0 == " " }.reversed()) }
            .joined(separator: "\n")
    }

    private func cells(_ host: AuditHost) -> [String] {
        [
            host.status.rawValue, Self.server(host), host.outcome, Self.days(host.certificateDays),
            Self.days(host.pinDays), Self.pin(host), host.backup.words, host.revocation,
            host.transparency,
        ]
    }

    private func details(_ host: AuditHost) -> [String] {
        var lines = [Self.server(host) + (host.pattern.map { ", judged by the entry \($0.debugDescription)" } ?? "")]
        if !host.reason.isEmpty { lines.append("  \(host.reason.replacing("\n", with: " "))") }
        lines += host.notices.map { "  notice: \($0)" }
        for link in host.chain {
            lines.append("  \(link.isPinned ? "*" : "-") \(link.subject), until \(link.notAfter)")
            lines.append("    \(link.pin)")
        }
        lines += host.backupPins.map { "  backup \($0)" }
        return lines + [""]
    }

    static func server(_ host: AuditHost) -> String {
        guard let port = host.port else { return host.host }
        return host.host.contains(":") ? "[\(host.host)]:\(port)" : "\(host.host):\(port)"
    }

    static func days(_ days: Int?) -> String { days.map(Days.words) ?? "-" }

    private static func pin(_ host: AuditHost) -> String {
        if host.backup == .none { return "-" }
        guard let index = host.chain.firstIndex(where: { host.matchedPins.contains($0.pin) }) else {
            return host.unmatchedWords
        }
        return index == 0 ? "leaf" : index == host.chain.count - 1 ? "root" : "intermediate"
    }
}

extension AuditHost.Backup {
    /// For people.
    var words: String {
        switch self {
        case .offline: "off-line"
        case .missing: "none: all in the chain"
        case .none: "-"
        case .unknown: "unknown"
        }
    }
}

extension AuditHost {
    /// Why no pin matched, for people: pins are looked at only in a chain that is valid.
    var unmatchedWords: String {
        outcome == "pinMismatch" || notices.contains("mismatchReportedOnly") ? "none" : "not looked at"
    }
}
