/// What both evaluators of public keys do.
struct PinnedKeys: Sendable {
    let pins: Set<PublicKeyPin>
    let performDefaultValidation: Bool
    let roots: TrustRoots
    let profile: ValidationProfile

    /// Finds roots that accept nothing, where they are asked.
    func validateConfiguration() throws(TrustError) {
        if performDefaultValidation { try roots.validateConfiguration() }
    }

    /// Returns when a pinned key is in the validated chain, and the host is right where it has to be.
    func evaluate(_ trust: ServerTrust, validateHost: Bool) throws(TrustError) {
        let chain =
            try performDefaultValidation
            ? trust.validatedChain(roots: roots, profile: profile) : unvalidatedChain(trust)
        if validateHost { try trust.validateHost(profile: profile) }
        guard chain.contains(where: { pins.contains($0.publicKeyPin) }) else {
            throw TrustError(
                .pinMismatch,
                reason: performDefaultValidation
                    ? "no key of the validated chain has one of the \(pins.count) pins"
                    : "the server's key has none of the \(pins.count) pins, and no key that has one signed it"
            ).with(validatedChain: chain, expectedPins: pins.map(\.description).sorted())
        }
    }

    /// The leaf if its key is pinned, or the chain of signatures to a presented certificate with a pinned key; empty
    /// if there is neither.
    private func unvalidatedChain(_ trust: ServerTrust) -> [Certificate] {
        if pins.contains(trust.leaf.publicKeyPin) { return [trust.leaf] }
        let anchors = trust.presentedChain.filter { pins.contains($0.publicKeyPin) }
        return anchors.isEmpty ? [] : (try? trust.signedChain(anchors: anchors)) ?? []
    }
}
