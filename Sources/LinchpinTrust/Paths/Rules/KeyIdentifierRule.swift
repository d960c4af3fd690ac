internal import COpenSSL

/// The identifier of the key that signed (RFC 5280 §4.2.1.1, CA/B BR §7.1.2.1.3 and §7.1.2.11.1).
struct KeyIdentifierRule: PathRule {
    func verdict(on path: CandidatePath) -> RuleVerdict {
        for link in path.formal {
            let certificate = link.pointer
            let hasIssuer = X509_get0_authority_issuer(certificate) != nil
            let hasSerial = X509_get0_authority_serial(certificate) != nil
            guard hasIssuer == hasSerial else {
                return link.refused("its authority key identifier has only one of issuer and serial number")
            }
            if isRoot(link) {
                guard link.found(NID_authority_key_identifier) != nil else { continue }
                guard !hasIssuer else {
                    return link.refused("the root's authority key identifier names an issuer or a serial number")
                }
                guard namesItself(certificate) else {
                    return link.refused("the root's authority key identifier is not its subject key identifier")
                }
            } else if needsIdentifier(link), X509_get0_authority_key_id(certificate) == nil {
                return link.refused("it has no authority key identifier")
            }
        }
        return .passed
    }

    /// Whether it is an anchor that signed itself.
    ///
    /// OpenSSL's flag EXFLAG_SS is wanting where identifiers differ: a root that changed its key and one whose
    /// identifiers are wrong look alike to it. The signature tells them apart.
    private func isRoot(_ link: CandidatePath.Link) -> Bool {
        guard link.isAnchor, link.isSelfIssued else { return false }
        if link.flags & UInt32(EXFLAG_SS) != 0 { return true }
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        return X509_verify(link.pointer, X509_get0_pubkey(link.pointer)) == 1
    }

    /// Whether it has to say which key signed it.
    ///
    /// An anchor need not: nobody follows it upwards. But one that somebody else signed and that limits the path below
    /// itself is a subordinate authority's (CA/B BR §7.1.2.1.4 wants no such limit in a root), and is held to their form.
    private func needsIdentifier(_ link: CandidatePath.Link) -> Bool {
        !link.isAnchor || (!link.isSelfIssued && X509_get_pathlen(link.pointer) >= 0)
    }

    private func namesItself(_ certificate: OpaquePointer) -> Bool {
        guard let signer = X509_get0_authority_key_id(certificate), let own = X509_get0_subject_key_id(certificate)
        else {
            return false
        }
        return ASN1_STRING_cmp(signer, own) == 0
    }
}
