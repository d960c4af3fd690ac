internal import CLinchpin
internal import COpenSSL
internal import Foundation

/// A path that OpenSSL has verified, about to be judged by the rules that OpenSSL leaves out.
struct CandidatePath {
    /// The leaf first, the trust anchor last. One certificate alone is both.
    let links: [Link]
    let date: Date
    let anchor: AnchorOrigin

    /// One certificate at its place.
    struct Link {
        let certificate: Certificate
        /// How far above the leaf it stands.
        let depth: Int
        let isAnchor: Bool
        /// Its extensions in their order.
        let extensions: [CertificateExtension]
        /// What OpenSSL found while it read them: EXFLAG_… of x509v3.h.
        let flags: UInt32
    }

    init(_ chain: [Certificate], date: Date, anchor: AnchorOrigin) {
        links = chain.enumerated().map { Link($1, depth: $0, isAnchor: $0 == chain.count - 1) }
        self.date = date
        self.anchor = anchor
    }

    /// The server's own certificate, unless it is itself the anchor: an anchor is a name and a key that the caller
    /// chose, and its form is not judged (RFC 5280 §6.1.1(d)).
    var issuedLeaf: Link? { links.count > 1 ? links.first : nil }

    /// The certificates that issued another one of the path.
    var authorities: ArraySlice<Link> { links.dropFirst() }

    /// The certificates whose form is judged.
    var formal: ArraySlice<Link> { anchor == .system ? links.dropLast() : links[...] }

    /// The certificates whose signatures count.
    var issued: ArraySlice<Link> { links.dropLast() }
}

extension CandidatePath.Link {
    init(_ certificate: Certificate, depth: Int, isAnchor: Bool) {
        self.certificate = certificate
        self.depth = depth
        self.isAnchor = isAnchor
        extensions = CertificateExtension.all(of: certificate)
        flags = X509_get_extension_flags(certificate.handle.pointer)
    }

    /// For OpenSSL's calls; the path outlives them (see ``PathRules/refusal(of:)``).
    var pointer: OpaquePointer { certificate.handle.pointer }

    var isAuthority: Bool { flags & UInt32(EXFLAG_CA) != 0 }
    var isSelfIssued: Bool { flags & UInt32(EXFLAG_SI) != 0 }

    /// The extension of this kind, by OpenSSL's number for it.
    func found(_ nid: Int32) -> CertificateExtension? { extensions.first { $0.nid == nid } }

    /// A refusal that names the certificate.
    func refused(_ why: String) -> RuleVerdict {
        .refused(.chainInvalid, "\(why), certificate \(depth): \(certificate.subject)")
    }
}
