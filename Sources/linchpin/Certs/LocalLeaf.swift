internal import Foundation
internal import LinchpinTesting
internal import LinchpinTrust

/// A leaf of `linchpin certs`: how it is made and what a client has to say to it.
struct LocalLeaf {
    let name: String
    var names = [CertificateName].loopback
    var commonName: String?
    var keyType = KeyType.p256
    var issuer = Issuer.intermediate
    var profile = CertificateProfile.server
    /// The host for which ``expected`` holds.
    var host = "localhost"
    /// What a client that trusts the root finds; nil for nothing wrong.
    var expected: TrustError.Code?

    /// Who signs it.
    enum Issuer { case intermediate, unknownRoot, itself }

    static let all = [
        LocalLeaf(name: "valid-p256"),
        LocalLeaf(name: "valid-rsa2048", keyType: .rsa2048),
        LocalLeaf(name: "valid-ed25519", keyType: .ed25519),
        LocalLeaf(name: "expired", expected: .expired),
        LocalLeaf(name: "not-yet-valid", expected: .notYetValid),
        LocalLeaf(name: "wrong-host", names: ["elsewhere.test"], expected: .hostMismatch),
        LocalLeaf(name: "self-signed", issuer: .itself, expected: .noAnchor),
        LocalLeaf(name: "unknown-root", issuer: .unknownRoot, expected: .noAnchor),
        LocalLeaf(
            name: "wildcard",
            names: ["*.linchpin.test", "linchpin.test"] + .loopback,
            host: "api.linchpin.test"
        ),
        LocalLeaf(name: "cn-only", names: [], commonName: "localhost", expected: .hostMismatch),
        LocalLeaf(
            name: "client",
            names: [],
            commonName: "Linchpin Local Client",
            profile: .client,
            expected: .chainInvalid
        ),
    ]

    /// Makes it.
    func identity(issuedBy issuer: LocalCertificateAuthority?, validity: Validity) throws -> ServerIdentity {
        guard let issuer else {
            return try LocalCertificateAuthority.selfSigned(
                names,
                commonName: commonName,
                keyType: keyType,
                validity: validity
            )
        }
        return try issuer.issue(
            names,
            commonName: commonName,
            keyType: keyType,
            validity: validity,
            profile: profile
        )
    }

    /// Judges one that was made as a client does that trusts `root`; `anchor` is its own root.
    ///
    /// - Throws: `CertificateSet.Defect` where the judgement is not the expected one.
    func check(_ identity: ServerIdentity, root: Certificate, anchor: Certificate, date: Date) throws {
        let found = judgement(of: identity, root: root, date: date)
        guard found == expected else {
            throw CertificateSet.Defect(
                words:
                    "\(name).pem is \(found?.rawValue ?? "accepted") and should be \(expected?.rawValue ?? "accepted")"
            )
        }
        guard issuer == .unknownRoot else { return }
        if let other = judgement(of: identity, root: anchor, date: date) {
            throw CertificateSet.Defect(words: "\(name).pem is \(other.rawValue) for its own root")
        }
    }

    private func judgement(of identity: ServerIdentity, root: Certificate, date: Date) -> TrustError.Code? {
        do {
            let trust = try ServerTrust(presentedChain: identity.chain, host: host, date: date)
            try trust.validatedChain(roots: .certificates([root]))
            try trust.validateHost()
            return nil
        } catch {
            return error.code
        }
    }
}
