internal import Foundation
// The form of dates is shared within the package only.
internal import LinchpinTrust

/// What an audit found.
struct AuditReport: Encodable {
    /// How it is, the worst that holds.
    enum Status: String, Encodable, Comparable {
        /// A wildcard that no host was named for.
        case unasked
        case well
        case expiring
        case refused

        private var rank: Int {
            switch self {
            case .unasked: 0
            case .well: 1
            case .expiring: 2
            case .refused: 3
            }
        }

        static func < (left: Status, right: Status) -> Bool { left.rank < right.rank }

        var exitCode: Int32 {
            switch self {
            case .unasked, .well: 0
            case .refused: 1
            case .expiring: 2
            }
        }
    }

    let policy: String
    let date: String
    let warnDays: Int
    let status: Status
    let hosts: [AuditHost]

    init(policy: String, date: Date, warnDays: Int, hosts: [AuditHost]) {
        self.policy = policy
        self.date = date.rfc3339
        self.warnDays = warnDays
        self.hosts = hosts
        status = max(.well, hosts.map(\.status).max() ?? .well)
    }

    /// What it comes to, in a line.
    var summary: String {
        let words: [(AuditReport.Status, String)] = [
            (.well, "well"), (.expiring, "with something that expires"), (.refused, "refused"), (.unasked, "not asked"),
        ]
        let counts = words.map { status, words in (hosts.count { $0.status == status }, words) }.filter { $0.0 > 0 }
        return counts.isEmpty ? "the policy names no host" : counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
