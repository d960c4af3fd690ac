internal import Foundation

/// An audit as a page that is read in a browser, and needs nothing but itself.
struct AuditPage {
    let report: AuditReport

    var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="color-scheme" content="light dark">
        <title>Policy audit: \(Self.escaped(report.policy))</title>
        <style>
        \(AuditStyle.text)
        </style>
        </head>
        <body>
        <header>
        <h1>Policy audit</h1>
        <p class="file">\(Self.escaped(report.policy))</p>
        <p>\(Self.escaped(report.summary)). Asked on \(Self.escaped(report.date)); what ends within \
        \(report.warnDays) days is soon.</p>
        </header>
        <main>
        \(worstFirst.map(section).joined(separator: "\n"))
        </main>
        </body>
        </html>
        """
    }

    /// In the order of the policy where they are alike.
    private var worstFirst: [AuditHost] {
        report.hosts.enumerated().sorted { ($1.element.status, $0.offset) < ($0.element.status, $1.offset) }
            .map(\.element)
    }

    private func section(_ host: AuditHost) -> String {
        let head = """
            <section class="\(host.status.rawValue)">
            <h2><span class="badge">\(Self.escaped(host.status.words))</span> \(Self.escaped(AuditTable.server(host)))</h2>
            """
        let pattern = host.pattern.map { "entry <code>\(Self.escaped($0))</code>: " } ?? ""
        let checks = "<p class=\"checks\">\(pattern)\(Self.escaped(host.checks))</p>"
        let reason =
            host.reason.isEmpty
            ? "" : "<p class=\"reason\"><strong>\(Self.escaped(host.outcome))</strong> \(Self.escaped(host.reason))</p>"
        return [head, checks, reason, facts(host), chain(host), "</section>"].filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    private func facts(_ host: AuditHost) -> String {
        guard host.status != .unasked else { return "" }
        var facts = [("Revocation", host.revocation), ("Transparency", host.transparency)]
        if host.backup != .none {
            facts.insert(("Pin that matched", Self.matches(host)), at: 0)
            facts.insert(("Backup pin", host.backup.words), at: 1)
        }
        if !host.notices.isEmpty { facts.append(("Notices", host.notices.joined(separator: ", "))) }
        let items = facts.map { "<div><dt>\(Self.escaped($0))</dt><dd>\(Self.escaped($1))</dd></div>" }
        return "<dl>\(items.joined())</dl>"
    }

    private static func matches(_ host: AuditHost) -> String {
        guard !host.matchedPins.isEmpty else { return host.unmatchedWords }
        return host.chain.filter { host.matchedPins.contains($0.pin) }.map(\.subject).joined(separator: "; ")
    }

    private func chain(_ host: AuditHost) -> String {
        var items = host.chain.enumerated().map { index, link in item(link, isLeaf: index == 0) }
        if let date = host.pinsExpire, let days = host.pinDays {
            // No beginning is known: a year is the whole bar.
            items.append(
                "<li class=\"pins\"><p class=\"subject\">Pin set</p>\(bar(Double(days) / 365, days, date))</li>"
            )
        }
        guard !items.isEmpty else { return "" }
        let title = host.chain.isEmpty ? "" : host.isValidated ? "The chain that was validated" : "What the server sent"
        let caption = title.isEmpty ? "" : "<h3>\(title)</h3>\n"
        let backups = host.backupPins.map { "<code>\(Self.escaped($0))</code>" }.joined(separator: "<br>")
        let backup =
            backups.isEmpty ? "" : "\n<p class=\"backup\">Pinned, and in no certificate here:<br>\(backups)</p>"
        return
            "\(caption)<ol class=\"chain\(host.isValidated ? " validated" : "")\">\n\(items.joined(separator: "\n"))\n</ol>\(backup)"
    }

    private func item(_ link: AuditHost.Link, isLeaf: Bool) -> String {
        let role = isLeaf ? "Server" : link.subject == link.issuer ? "Root" : "Authority"
        let mark = link.isPinned ? " <span class=\"mark\">pinned</span>" : ""
        return """
            <li class="\(link.isPinned ? "pinned" : "plain")">
            <p class="subject"><span class="role">\(role)</span> \(Self.escaped(link.subject))\(mark)</p>
            <p class="pin"><code>\(Self.escaped(link.pin))</code></p>
            \(bar(link.remaining, link.days, link.notAfter))
            </li>
            """
    }

    private func bar(_ fraction: Double, _ days: Int, _ date: String) -> String {
        let width = Int((min(max(fraction, 0), 1) * 100).rounded())
        let level = days < 0 ? "past" : days <= report.warnDays ? "soon" : "good"
        let text = "\(days < 0 ? "ended" : "ends") \(Days.words(days)), \(date)"
        return """
            <div class="bar \(level)"><div class="track"><div class="fill" style="width:\(width)%"></div></div>\
            <span>\(Self.escaped(text))</span></div>
            """
    }

    /// Text as HTML shows it, in elements and in quoted attributes alike. Control characters that no page may have, and
    /// those that turn the direction of text around, are shown as what they are.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension AuditReport.Status {
    /// For people.
    var words: String {
        switch self {
        case .unasked: "not asked"
        case .well: "well"
        case .expiring: "expires soon"
        case .refused: "refused"
        }
    }
}
