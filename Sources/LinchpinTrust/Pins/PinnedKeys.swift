internal import Foundation

/// What both evaluators of public keys do.
struct PinnedKeys: Sendable {
    let pins: Set<PublicKeyPin>
    let performDefaultValidation: Bool
    let roots: TrustRoots
    let profile: ValidationProfile
    var requiresBackupPin = false
    var expiration: PinExpiration?
    var onMismatch = PinMismatchAction.refuse

    /// Finds roots that accept nothing, where they are asked.
    func validateConfiguration() throws(TrustError) {
        if performDefaultValidation || expiration?.afterwards == .fallBackToDefaultValidation {
            try roots.validateConfiguration()
        }
    }

    /// Returns when a pinned key is in the validated chain, and the host is right where it has to be.
    func evaluate(_ trust: ServerTrust, validateHost: Bool) throws(TrustError) {
        if let expiration {
            guard !expiration.isPast(at: trust.date) else { return try evaluateExpired(trust, expiration) }
            trust.findings.record(end: expiration.date)
        }
        let chain =
            try performDefaultValidation
            ? trust.validatedChain(roots: roots, profile: profile) : unvalidatedChain(trust)
        if validateHost { try trust.validateHost(profile: profile) }
        let matches = chain.map { PinMatch(pin: $0.publicKeyPin, certificate: $0) }.filter { pins.contains($0.pin) }
        guard !matches.isEmpty else { return try handleMismatch(trust, chain) }
        trust.findings.record(matches: matches)
        if requiresBackupPin, pins.isSubset(of: matches.map(\.pin)) { trust.findings.record(notice: .noBackupPin) }
    }

    /// The leaf if its key is pinned, or the chain of signatures to one of the roots; empty if there is neither.
    ///
    /// A presented certificate with a pinned key is no anchor. Only its key is known: anybody can write another one for
    /// that key, without the constraints of the issuer's own, and send it in its place.
    private func unvalidatedChain(_ trust: ServerTrust) -> [Certificate] {
        if pins.contains(trust.leaf.publicKeyPin) { return [trust.leaf] }
        return (try? trust.signedChain(roots: roots)) ?? []
    }

    /// What is done with pins that are out of force.
    ///
    /// The host counts here even where it did not with the pins: nothing else is left to tell servers apart.
    private func evaluateExpired(_ trust: ServerTrust, _ expiration: PinExpiration) throws(TrustError) {
        trust.findings.record(notice: .pinsExpired)
        guard expiration.afterwards == .fallBackToDefaultValidation else {
            throw TrustError(
                .pinsExpired,
                reason: "the pins were in force until \(expiration.date.rfc3339) and it is now \(trust.date.rfc3339); "
                    + "replace them, or say afterwards: .fallBackToDefaultValidation"
            ).with(validatedChain: [], expectedPins: sortedPins.map(\.description))
        }
        try trust.validatedChain(roots: roots, profile: profile)
        try trust.validateHost(profile: profile)
    }

    private func handleMismatch(_ trust: ServerTrust, _ chain: [Certificate]) throws(TrustError) {
        if let handler = onMismatch.handler {
            let report = PinFailureReport(
                trust: trust,
                validatedChain: chain,
                pins: sortedPins,
                pinExpiration: expiration?.date,
                isEnforced: !onMismatch.isReportOnly
            )
            trust.tell { handler.send(report) }
        }
        guard !onMismatch.isReportOnly else { return trust.findings.record(notice: .mismatchReportedOnly) }
        let what =
            performDefaultValidation
            ? "no key of the validated chain has one of the \(pins.count) pins"
            : "the server's key has none of the \(pins.count) pins, and no chain of signatures that leads to one of the "
                + "roots has a key with one"
        throw TrustError(.pinMismatch, reason: what + fingerprintHint(chain + trust.presentedChain))
            .with(validatedChain: chain, expectedPins: sortedPins.map(\.description))
    }

    private var sortedPins: [PublicKeyPin] { pins.sorted { $0.description < $1.description } }

    /// What is said when a pin is the fingerprint of one of the certificates: that can be seen only here.
    private func fingerprintHint(_ certificates: [Certificate]) -> String {
        guard let mistaken = certificates.first(where: { pins.contains(PublicKeyPin(fingerprintOf: $0)) }) else {
            return ""
        }
        return "; \(PublicKeyPin(fingerprintOf: mistaken)) is the fingerprint of the whole certificate "
            + "\(mistaken.subject), the pin of its key is \(mistaken.publicKeyPin)"
    }
}

extension PublicKeyPin {
    /// What somebody has for a pin who took the SHA-256 of the certificate; no key has it.
    fileprivate init(fingerprintOf certificate: Certificate) { digest = SHA256.digest(certificate.der) }
}

extension PinnedKeys {
    /// What is checked, for people.
    func words(validateHost: Bool) -> String {
        var parts = ["one of \(pins.count) pinned keys"]
        switch onMismatch {
        case .refuse: break
        case .refuseAndReport: parts.append("mismatches reported")
        case .reportOnly: parts.append("mismatches reported and let in")
        }
        parts += [EvaluatorWords.chain(performDefaultValidation), EvaluatorWords.host(validateHost)]
        if let expiration {
            let then = expiration.afterwards == .refuse ? "refused" : "valid chain and name"
            parts.append("until \(expiration.date.rfc3339), then \(then)")
        }
        return parts.joined(separator: ", ")
    }
}
