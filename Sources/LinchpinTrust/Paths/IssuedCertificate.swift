/// A certificate of a validated chain and the one above it, which can say more about it: that it was revoked, or what
/// name and key its timestamps are for.
struct IssuedCertificate: Hashable, Sendable {
    let certificate: Certificate
    let issuer: Certificate

    /// All of a chain but the anchor, the leaf's first.
    static func all(of chain: [Certificate]) -> [IssuedCertificate] {
        zip(chain, chain.dropFirst()).map { IssuedCertificate(certificate: $0, issuer: $1) }
    }
}
