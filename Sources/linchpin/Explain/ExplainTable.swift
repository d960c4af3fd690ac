internal import LinchpinTrust

/// Where the entries come from.
enum ExplainTable {
    /// The arguments: patterns and their pins.
    case entries([String: [String]], allowsOthers: Bool)
    /// A policy file.
    case policy(String)

    /// The table.
    ///
    /// - Throws: ``TrustError``.
    func manager() throws -> ServerTrustManager {
        switch self {
        case .entries(let entries, let allowsOthers):
            return try ServerTrustManager(
                allHostsMustBeEvaluated: !allowsOthers,
                evaluators: Dictionary(uniqueKeysWithValues: entries.map { ($0, try Self.evaluator($0, $1)) })
            )
        case .policy(let path):
            // No chain is judged here: any roots do in the place of those that are to be given.
            var givens = try PolicyTool.givens(roots: nil)
            givens.roots = .system
            return try ServerTrustManager(PolicyFile(contentsOfFile: path, given: givens))
        }
    }

    private static func evaluator(_ pattern: String, _ pins: [String]) throws -> any ServerTrustEvaluating {
        guard !pins.isEmpty else { return DefaultTrustEvaluator() }
        do {
            return try PublicKeyPinsTrustEvaluator(pins: pins, requiresBackupPin: false)
        } catch {
            throw error.at("the entry \"\(pattern)\"")
        }
    }
}
