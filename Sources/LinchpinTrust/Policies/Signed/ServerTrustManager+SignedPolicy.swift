public import Foundation

extension ServerTrustManager {
    /// What became of a signed policy that was taken on.
    public enum SignedPolicyOutcome: Sendable, Hashable {
        /// It is in force, in place of another one, and kept.
        case applied(version: Int)
        /// It is the one that was kept before. It is put in force again, with what was handed over this time.
        case unchanged(version: Int)
    }

    /// Takes on a signed policy while sessions run, and keeps it for the next start.
    ///
    /// ```swift
    /// let store = SignedPolicyStore(path: "/var/lib/example/policy.json", key: try PublicKey(pem: builtInKey))
    /// let manager = try ServerTrustManager(contentsOfPolicyFile: "/usr/share/example/policy.json")
    /// try manager.restoreSignedPolicy(from: store)
    /// // Later, with what was downloaded:
    /// try manager.update(signedPolicy: document, keptIn: store)
    /// ```
    ///
    /// Everything is checked, and the whole table made, before anything is changed; the document is then on the disk before
    /// the table is in force. What is in force stays on every error. The policy replaces the whole table, as
    /// ``replaceEvaluators(allHostsMustBeEvaluated:_:runningExchanges:)`` does, with the same effect on connections. A policy
    /// stays in force beyond its date until the program ends: the date says until when it may be taken on.
    ///
    /// - Parameters:
    ///   - document: see ``SignedPolicy``.
    ///   - store: where it is kept, and whose key it has to be signed with.
    ///   - directory: where the program has the files that the policy names. The signature does not cover them; nil, the
    ///     default, makes naming one an error.
    ///   - givenRoots: what `"roots": "given"` stands for; nil, the default, makes that an error.
    ///   - clientIdentities: what the names in `clientIdentity` stand for; none by default, which makes a name an error.
    ///   - pinFailureHandler: who takes the reports of `onMismatch`; nil, the default, makes asking for them an error.
    ///   - runningExchanges: whether exchanges that have begun may finish, which they may by default.
    /// - Throws: ``TrustError`` as ``SignedPolicy/init(_:key:)`` does, or with code `policyExpired`, `policyRolledBack`,
    ///   `unreadableFile` or `unwritableFile`.
    @discardableResult
    public func update(
        signedPolicy document: Data,
        keptIn store: SignedPolicyStore,
        relativeTo directory: String? = nil,
        givenRoots: TrustRoots? = nil,
        clientIdentities: [String: ClientIdentity] = [:],
        pinFailureHandler: PinFailureHandler? = nil,
        runningExchanges: RunningExchanges = .finish
    ) throws(TrustError) -> SignedPolicyOutcome {
        let given = PolicyGivens(
            roots: givenRoots,
            clientIdentities: clientIdentities,
            pinFailureHandler: pinFailureHandler
        )
        let taken = try store.take(document) { policy throws(TrustError) in
            let table = try policy.table(directory: directory, given: given)
            return { self.replace(with: table, runningExchanges) }
        }
        let version = taken.policy.version
        return taken.isNew ? .applied(version: version) : .unchanged(version: version)
    }

    /// Takes on the signed policy that a store has kept, at the start of a program.
    ///
    /// The parameters are those of
    /// ``update(signedPolicy:keptIn:relativeTo:givenRoots:clientIdentities:pinFailureHandler:runningExchanges:)``.
    ///
    /// - Returns: its version; nil where none was kept, and what is in force stays.
    /// - Throws: ``TrustError`` as `update` does; what is in force stays. One whose date has passed since it was kept is
    ///   not taken on, and still keeps older ones out.
    @discardableResult
    public func restoreSignedPolicy(
        from store: SignedPolicyStore,
        relativeTo directory: String? = nil,
        givenRoots: TrustRoots? = nil,
        clientIdentities: [String: ClientIdentity] = [:],
        pinFailureHandler: PinFailureHandler? = nil,
        runningExchanges: RunningExchanges = .finish
    ) throws(TrustError) -> Int? {
        let given = PolicyGivens(
            roots: givenRoots,
            clientIdentities: clientIdentities,
            pinFailureHandler: pinFailureHandler
        )
        return try store.restore { policy throws(TrustError) in
            replace(with: try policy.table(directory: directory, given: given), runningExchanges)
        }?.version
    }
}

extension SignedPolicyStore {
    /// Takes on a document for nobody: everything is checked and the policy kept, and no table is replaced.
    package func take(
        _ document: Data,
        directory: String?,
        given: PolicyGivens
    ) throws(TrustError) -> SignedPolicy {
        try take(document) { policy throws(TrustError) in
            _ = try policy.table(directory: directory, given: given)
            return {}
        }.policy
    }
}

extension SignedPolicy {
    fileprivate func table(directory: String?, given: PolicyGivens) throws(TrustError) -> HostTable {
        let file = try file(directory: directory, given: given)
        do {
            return try HostTable(
                allHostsMustBeEvaluated: file.allHostsMustBeEvaluated,
                evaluators: file.evaluators,
                clientIdentities: file.clientIdentities
            )
        } catch {
            throw file.fault(error)
        }
    }
}
