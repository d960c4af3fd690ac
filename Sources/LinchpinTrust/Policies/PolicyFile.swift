package import Foundation

/// A host table as it is written in a file; the format is described at
/// ``ServerTrustManager/init(contentsOfPolicyFile:givenRoots:clientIdentities:pinFailureHandler:)``.
package struct PolicyFile {
    /// Whether an entry asks for the roots that were handed over with the file.
    package let usesGivenRoots: Bool
    let allHostsMustBeEvaluated: Bool
    let evaluators: [String: any ServerTrustEvaluating]
    /// What is shown to the hosts of a pattern if they ask.
    let clientIdentities: [String: ClientIdentity]
    /// What the file says, entry by entry, in the order of the patterns.
    package let summaries: [PolicySummary]
    /// Whether hosts without an entry are refused.
    package var refusesOtherHosts: Bool { allHostsMustBeEvaluated }
    /// The file; nil for bytes from elsewhere.
    private let path: String?

    /// Reads a file.
    ///
    /// - Throws: ``TrustError`` with code `unreadableFile` or `malformedPolicy`; the reason begins with the path.
    package init(contentsOfFile path: String, given: PolicyGivens) throws(TrustError) {
        let bytes = try FileBytes.read(path, atMost: PolicyText.mostBytes + 1)
        let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
        do {
            try self.init(bytes, directory: directory ?? "", given: given, path: path)
        } catch {
            throw error.at(path)
        }
    }

    /// Reads bytes.
    ///
    /// - Throws: ``TrustError`` with code `malformedPolicy`.
    package init(_ bytes: Data, directory: String, given: PolicyGivens) throws(TrustError) {
        try self.init(bytes, directory: directory, given: given, path: nil)
    }

    private init(_ bytes: Data, directory: String?, given: PolicyGivens, path: String?) throws(TrustError) {
        try self.init(PolicyText(bytes: bytes).root(), directory: directory, given: given, path: path)
    }

    /// Reads what stands in another document.
    ///
    /// - Parameters:
    ///   - directory: what paths are relative to; nil where no file may be named.
    /// - Throws: ``TrustError`` with code `malformedPolicy`.
    init(_ root: PolicyNode, directory: String?, given: PolicyGivens, path: String? = nil) throws(TrustError) {
        // First, since what another version means by its fields is not known.
        guard let version = try root.field("version") else { throw root.missing("version", "1") }
        let number = try version.number()
        guard number == "1" else { throw version.fault("\(number) is not a version that is read here; 1 is") }
        let fields = try root.fields(["version", "allHostsMustBeEvaluated", "hosts"])
        allHostsMustBeEvaluated = try fields["allHostsMustBeEvaluated"]?.boolean() ?? true
        var roots = PolicyRoots(directory: directory, given: given.roots)
        var identities: [String: ClientIdentity] = [:]
        var evaluators: [String: any ServerTrustEvaluating] = [:]
        var summaries: [PolicySummary] = []
        for (pattern, node) in try fields["hosts"]?.members() ?? [] {
            do {
                _ = try HostPattern(pattern)
            } catch {
                throw node.fault(error)
            }
            let entry = try PolicyEntry(node)
            let evaluator = try entry.evaluator(&roots, given)
            evaluators[pattern] = evaluator
            identities[pattern] = try entry.clientIdentity(given)
            summaries.append(try entry.summary(of: pattern, evaluator))
        }
        self.evaluators = evaluators
        self.summaries = summaries
        clientIdentities = identities
        usesGivenRoots = roots.usesGiven
        self.path = path
    }

    /// A mistake that the table found in the entries as a whole.
    func fault(_ error: TrustError) -> TrustError {
        let fault = PolicyNode(NSNull(), place: "$.hosts").fault(error)
        return path.map(fault.at) ?? fault
    }
}
