internal import Foundation

/// Whether a certificate of one validated chain was revoked, as far as can be said without waiting.
struct RevocationCheck {
    let options: RevocationTrustEvaluator.Options
    let lists: [CertificateRevocationList]
    let cache: RevocationCache
    let trust: ServerTrust

    /// Returns when no certificate of the chain is known to be revoked, and all that has to be known is.
    ///
    /// The anchor is not asked about: it is trusted by itself.
    func check(_ chain: [Certificate]) throws(TrustError) {
        let subjects = IssuedCertificate.all(of: chain)
        guard let leaf = subjects.first else {
            // Nobody issued the leaf but the one who chose it as an anchor: nobody could sign a response about it either.
            if trust.leaf.demandsStaple { throw missingStaple(trust.leaf) }
            return try acceptUnknown([trust.leaf], "the server's own certificate is the trust anchor")
        }
        try checkStaple(of: leaf)
        var missing: [IssuedCertificate] = []
        for subject in subjects where try !isKnownToBeGood(subject) { missing.append(subject) }
        if trust.evidence.staple == .pending, mayUseStaple(of: leaf) { return trust.findings.recordAwaitingStaple() }
        var (demands, unknown): ([RevocationDemand], [Certificate]) = ([], [])
        for subject in missing {
            if let demand = try demand(for: subject) {
                demands.append(demand)
            } else {
                unknown.append(subject.certificate)
            }
        }
        guard demands.isEmpty else {
            throw TrustError(
                .revocationInformationNeeded,
                reason:
                    "whether \(demands.map(\.certificate.subject).joined(separator: ", ")) was revoked is to be asked of "
                    + demands.flatMap { $0.sources.map(\.url) }.joined(separator: ", ")
            ).with(revocationDemands: demands)
        }
        if !unknown.isEmpty { try acceptUnknown(unknown, "nobody who was asked could say so") }
    }

    private func mayUseStaple(of leaf: IssuedCertificate) -> Bool {
        options.contains(.ocsp) || leaf.certificate.demandsStaple
    }

    /// Looks at the stapled response and keeps what it says; refuses a server that had to send one and did not.
    private func checkStaple(of leaf: IssuedCertificate) throws(TrustError) {
        guard mayUseStaple(of: leaf) else { return }
        switch trust.evidence.staple {
        case .response(let response):
            do {
                let fact = try OCSPResponse(der: response)
                    .fact(about: leaf, request: nil, origin: .staple, at: trust.date)
                cache.keep(fact, about: leaf, at: trust.date)
                try refuse(fact, leaf)
                trust.findings.record(validUntil: fact.validUntil)
            } catch {
                throw error.at("the stapled OCSP response")
            }
        case .pending: return
        case .absent, .unavailable:
            guard leaf.certificate.demandsStaple else { return }
            // A resumed session brings none; the one of the full handshake counts as long as it does.
            let kept = cache.facts(about: leaf, at: trust.date).first { $0.origin == .staple }
            guard trust.evidence.staple == .unavailable, let kept else {
                throw missingStaple(leaf.certificate)
            }
            trust.findings.record(validUntil: kept.validUntil)
        }
    }

    private func missingStaple(_ leaf: Certificate) -> TrustError {
        TrustError(
            .stapleMissing,
            reason: "\(leaf.subject) says that its server always staples an OCSP response (RFC 7633), and it did not"
        )
    }

    /// Whether something at hand says that a certificate is good; refuses one that something at hand does not say so of.
    private func isKnownToBeGood(_ subject: IssuedCertificate) throws(TrustError) -> Bool {
        let facts = factsAtHand(subject)
        for fact in facts { try refuse(fact, subject) }
        // All of them may have to be asked for again when the first ends.
        guard let end = facts.map(\.validUntil).max() else { return false }
        trust.findings.record(validUntil: end)
        return true
    }

    private func factsAtHand(_ subject: IssuedCertificate) -> [RevocationFact] {
        var facts = cache.facts(about: subject, at: trust.date).filter { fact in
            options.contains(fact.origin == .list ? .crl : .ocsp)
        }
        guard options.contains(.crl), !facts.contains(where: { $0.origin == .list }) else { return facts }
        let candidates = lists + [cache.list(of: subject.issuer)].compactMap(\.self)
        for list in candidates where list.isIssued(by: subject.issuer) {
            // One that cannot be relied upon says nothing.
            guard let fact = try? RevocationListCheck(list: list).fact(about: subject, at: trust.date) else { continue }
            cache.keep(fact, about: subject, at: trust.date)
            facts.append(fact)
        }
        return facts
    }

    private func refuse(_ fact: RevocationFact, _ subject: IssuedCertificate) throws(TrustError) {
        let name = subject.certificate.subject
        switch fact.status {
        case .good: return
        case .revoked(let date):
            throw TrustError(
                .revoked,
                reason: "\(name) was revoked by \(subject.issuer.subject)" + (date.map { " at \($0.rfc3339)" } ?? "")
            )
        case .unknown:
            throw TrustError(
                .revocationUnknown,
                reason: "the responder of \(subject.issuer.subject) does not know \(name)"
            )
        }
    }

    /// What to fetch; nil where there is nothing, or nobody is to be asked.
    private func demand(for subject: IssuedCertificate) throws(TrustError) -> RevocationDemand? {
        guard !options.contains(.networkAccessDisabled) else { return nil }
        var responders: [RevocationDemand.Source] = []
        if options.contains(.ocsp), !cache.hasGivenUp(.responder, about: subject, at: trust.date),
            case let urls = subject.responderURLs, !urls.isEmpty
        {
            let request = try OCSPRequest.encoded(for: subject)
            responders = urls.map { .ocsp(url: $0, request: request) }
        }
        var lists: [RevocationDemand.Source] = []
        if options.contains(.crl), !cache.hasGivenUp(.list, about: subject, at: trust.date) {
            lists = subject.revocationListURLs.map { .revocationList(url: $0) }
        }
        let sources = options.contains(.preferCRL) ? lists + responders : responders + lists
        return sources.isEmpty ? nil : RevocationDemand(sources: sources, subject: subject, cache: cache)
    }

    private func acceptUnknown(_ certificates: [Certificate], _ why: String) throws(TrustError) {
        guard !options.contains(.requirePositiveResponse) else {
            throw TrustError(
                .revocationUnknown,
                reason: "whether \(certificates.map(\.subject).joined(separator: ", ")) was revoked is not known, and "
                    + "a positive response is required: \(why)"
            )
        }
        trust.findings.record(notice: .revocationUnchecked)
    }
}
