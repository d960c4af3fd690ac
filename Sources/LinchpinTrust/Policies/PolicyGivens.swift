/// What a policy file names and the program hands over with it.
package struct PolicyGivens: Sendable {
    /// What `"roots": "given"` stands for.
    package var roots: TrustRoots?
    /// What `clientIdentity` names: keys and passwords do not belong in a policy.
    package var clientIdentities: [String: ClientIdentity]
    /// Who takes the reports of `onMismatch`.
    package var pinFailureHandler: PinFailureHandler?

    /// Whether entries with a `clientIdentity` are read as if they had none: for who looks at a policy and has no keys.
    package var leavesOutClientIdentities = false

    package init(
        roots: TrustRoots? = nil,
        clientIdentities: [String: ClientIdentity] = [:],
        pinFailureHandler: PinFailureHandler? = nil
    ) {
        self.roots = roots
        self.clientIdentities = clientIdentities
        self.pinFailureHandler = pinFailureHandler
    }
}
