internal import Foundation
internal import LinchpinTrust

/// An explanation for a script.
enum ExplainReport {
    private struct Document: Encodable {
        struct Entry: Encodable {
            let pattern: String
            let evaluator: String
            let applies: Bool
            let reason: String
        }

        let host: String
        let port: Int?
        let outcome: String
        let pattern: String?
        let reason: String
        let checked: String?
        let refusesPlainHTTP: Bool
        let entries: [Entry]
    }

    static func json(_ explanation: PolicyExplanation) throws -> String {
        let document = Document(
            host: explanation.host,
            port: explanation.port,
            outcome: explanation.outcome.rawValue,
            pattern: explanation.pattern,
            reason: explanation.reason,
            checked: explanation.evaluator.map { "\($0)" },
            refusesPlainHTTP: explanation.refusesPlainHTTP,
            entries: explanation.candidates.map {
                Document.Entry(
                    pattern: $0.pattern,
                    evaluator: $0.evaluator,
                    applies: $0.isApplied,
                    reason: $0.reason
                )
            }
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }
}
