internal import Foundation
internal import LinchpinTesting
internal import LinchpinTrust

/// The certificates of `linchpin certs` in their directory.
struct CertificateSet {
    let directory: String
    let now: Date

    private static let day: TimeInterval = 86_400

    /// Makes the whole set, in place of what is there.
    func make() throws {
        let root = try LocalCertificateAuthority(name: "Linchpin Local Root", validity: current)
        let intermediate = try root.intermediate(name: "Linchpin Local Intermediate", validity: current)
        let stranger = try LocalCertificateAuthority(name: "Linchpin Unknown Root", validity: current)
        let issuers: [LocalLeaf.Issuer: LocalCertificateAuthority] = [
            .intermediate: intermediate, .unknownRoot: stranger,
        ]
        for leaf in LocalLeaf.all {
            let identity = try leaf.identity(issuedBy: issuers[leaf.issuer], validity: validity(of: leaf))
            try identity.write(to: directory, name: leaf.name)
        }
        try stranger.writeCertificate(to: directory, name: "unknown-root-ca")
        try intermediate.writeCertificate(to: directory, name: "intermediate")
        try root.write(to: directory, name: "root")
    }

    /// What is missing or wrong with the set that is there; nil when it is complete and good for another day.
    func defect() -> String? {
        do {
            let root = try authority("root")
            guard try PrivateKey(pem: text("root.key")).belongs(to: root) else {
                throw Defect(words: "root.key is not the key of root.pem")
            }
            let stranger = try authority("unknown-root-ca")
            _ = try authority("intermediate")
            for leaf in LocalLeaf.all {
                let anchor = leaf.issuer == .unknownRoot ? stranger : root
                try leaf.check(identity(leaf.name), root: root, anchor: anchor, date: now + Self.day)
            }
            return nil
        } catch let error as Defect {
            return error.words
        } catch let error as TrustError {
            return error.reason
        } catch {
            return "\(error)"
        }
    }

    /// Gives every key of the set its mode again, whatever was done to it since.
    func protectKeys() throws {
        for name in ["root"] + LocalLeaf.all.map(\.name) {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: "\(directory)/\(name).key"
            )
        }
    }

    /// The paths of the certificates, with their pins.
    func contents() throws -> [(path: String, pin: PublicKeyPin)] {
        try (["root", "intermediate", "unknown-root-ca"] + LocalLeaf.all.map(\.name)).map { name in
            let path = "\(directory)/\(name).pem"
            guard let first = try Certificate.certificates(contentsOfFile: path).first else {
                throw Defect(words: "\(path) is empty")
            }
            return (path, first.publicKeyPin)
        }
    }

    /// Why a set is made anew.
    struct Defect: Error { let words: String }

    private func validity(of leaf: LocalLeaf) -> Validity {
        switch leaf.expected {
        case .expired: Validity(from: now - 60 * Self.day, to: now - 30 * Self.day)
        // So far away that the set does not turn good by lying around.
        case .notYetValid: Validity(from: now + 3650 * Self.day, to: now + 7300 * Self.day)
        default: current
        }
    }

    private var current: Validity { Validity(from: now - Self.day, to: now + 397 * Self.day) }

    private func text(_ name: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: "\(directory)/\(name)") else {
            throw Defect(words: "there is no \(directory)/\(name)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    private func authority(_ name: String) throws -> Certificate { try Certificate(pem: text("\(name).pem")) }

    private func identity(_ name: String) throws -> ServerIdentity {
        try ServerIdentity(chainPEM: text("\(name).pem"), privateKeyPEM: text("\(name).key"))
    }
}
