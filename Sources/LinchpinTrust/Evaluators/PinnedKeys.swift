/// What both evaluators of public keys do.
struct PinnedKeys: Sendable {
    let pins: Set<PublicKeyPin>
    let performDefaultValidation: Bool
    let roots: TrustRoots

    /// Finds roots that accept nothing, where they are asked.
    func validateConfiguration() throws(TrustError) {
        if performDefaultValidation { try roots.validateConfiguration() }
    }

    /// Returns when a pinned key is in the validated chain, and the host is right where it has to be.
    func evaluate(_ trust: ServerTrust, validateHost: Bool) throws(TrustError) {
        let chain = try performDefaultValidation ? trust.validatedChain(roots: roots) : unvalidatedChain(trust)
        if validateHost { try trust.validateHost() }
        guard chain.contains(where: { pins.contains($0.publicKeyPin) }) else {
            throw TrustError(
                .pinMismatch,
                reason: "no key of the validated chain has one of the \(pins.count) pins"
            ).with(validatedChain: chain, expectedPins: pins.map(\.description).sorted())
        }
    }

    /// The leaf, or what its signatures lead to among the presented certificates with a pinned key.
    private func unvalidatedChain(_ trust: ServerTrust) -> [Certificate] {
        if pins.contains(trust.leaf.publicKeyPin) { return [trust.leaf] }
        let anchors = trust.presentedChain.filter { pins.contains($0.publicKeyPin) }
        guard !anchors.isEmpty, let chain = try? trust.signedChain(anchors: anchors) else { return [trust.leaf] }
        return chain
    }
}
