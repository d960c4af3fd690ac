/// What a policy file names and the program hands over with it.
package struct PolicyGivens: Sendable {
    /// What `"roots": "given"` stands for.
    package var roots: TrustRoots?
    /// What `clientIdentity` names: keys and passwords do not belong in a policy.
    package var clientIdentities: [String: ClientIdentity]
    /// Who takes the reports of `onMismatch`.
    package var pinFailureHandler: PinFailureHandler?

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
