public import Foundation
internal import LinchpinTrust

/// A policy that was made of a configuration in somebody else's format, to be read, reviewed, signed or put in force.
///
/// Everything that the configuration says is either said by the policy or an error that names it; nothing is dropped
/// without a word. What may be missed is named by the caller, and listed in ``leftOut``.
///
/// ```swift
/// let imported = try ImportedPolicy(trustKit: plist, leavingOut: ["TSKSwizzleNetworkDelegates"])
/// let manager = try ServerTrustManager(policy: imported.document, relativeTo: "")
/// ```
///
/// Hosts that the configuration does not name are left to the system's roots, as its platform leaves them.
public struct ImportedPolicy: Sendable {
    /// A policy file, see
    /// ``ServerTrustManager/init(contentsOfPolicyFile:givenRoots:clientIdentities:pinFailureHandler:)``.
    public let document: Data
    /// What the configuration says and the policy does not, as the caller allowed.
    public let leftOut: [PolicyImportError.Finding]
}

/// A policy while it is made of a configuration.
struct PolicyDraft {
    /// The fields that need not be expressed.
    let leavingOut: Set<String>
    /// The entries, as JSON has them.
    var hosts: [String: [String: Any]] = [:]
    private(set) var findings: [PolicyImportError.Finding] = []

    init(leavingOut: Set<String>) { self.leavingOut = leavingOut }

    /// Notes what no policy can say.
    mutating func cannotExpress(_ field: String, at place: String, _ reason: String) {
        findings.append(.init(field: field, place: place, reason: reason, canBeLeftOut: true))
    }

    /// Notes what is malformed, or has no policy without it.
    mutating func fault(_ field: String, at place: String, _ reason: String) {
        findings.append(.init(field: field, place: place, reason: reason, canBeLeftOut: false))
    }

    /// The pattern of a host, with or without the names below it; nil for what is no host, which is noted.
    mutating func pattern(
        _ name: String,
        includesSubdomains: Bool,
        field: String,
        at place: String
    ) -> String? {
        do {
            let host = try HostPattern(name)
            guard case .exact(let identity) = host.hosts, host.port == nil else {
                fault(field, at: place, "\(PolicyNode.quoted(name)) is not one host without a port")
                return nil
            }
            // Nothing is below an address.
            guard includesSubdomains, case .dns = identity else { return identity.description }
            return try HostPattern("**.\(identity)").description
        } catch {
            fault(field, at: place, error.reason)
            return nil
        }
    }

    /// The pin that a Base64 text is; nil for one that is none, which is noted.
    mutating func pin(_ text: String, field: String, at place: String) -> PublicKeyPin? {
        do {
            return try PublicKeyPin("sha256/\(text)")
        } catch {
            fault(field, at: place, error.reason)
            return nil
        }
    }

    /// The policy.
    ///
    /// - Throws: ``PolicyImportError`` with everything that has to be expressed and cannot be.
    func policy() throws(PolicyImportError) -> ImportedPolicy {
        let open = findings.filter { !$0.canBeLeftOut || !leavingOut.contains($0.field) }
        guard open.isEmpty else { throw PolicyImportError(findings: open) }
        let object: [String: Any] = ["version": 1, "allHostsMustBeEvaluated": false, "hosts": hosts]
        do {
            let document = try JSONSerialization.data(
                withJSONObject: object,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            )
            // Read as it will be, so that no policy is handed over that cannot be put in force.
            let anybody = PinFailureHandler(queue: .global()) { _ in }
            _ = try ServerTrustManager(policy: document, relativeTo: "", pinFailureHandler: anybody)
            return ImportedPolicy(document: document + Data("\n".utf8), leftOut: findings)
        } catch {
            let reason = (error as? TrustError)?.reason ?? "\(error)"
            let finding = PolicyImportError.Finding(
                field: "policy",
                place: "the policy that was made",
                reason: reason,
                canBeLeftOut: false
            )
            throw PolicyImportError(findings: [finding])
        }
    }
}
