internal import COpenSSL

/// CA/B BR §7.1.3.2: signatures over SHA-256, SHA-384 or SHA-512, or of an algorithm with its own digest (RFC 8410).
///
/// An anchor's own signature says nothing and does not count (RFC 5280 §6.1.1(d)).
struct SignatureRule: PathRule {
    func verdict(on path: CandidatePath) -> RuleVerdict {
        for link in path.issued where !isStrong(link.pointer) {
            return link.refused("it is signed over a digest that is not accepted")
        }
        return .passed
    }

    private func isStrong(_ certificate: OpaquePointer) -> Bool {
        var digest = NID_undef
        var algorithm = NID_undef
        guard X509_get_signature_info(certificate, &digest, &algorithm, nil, nil) == 1 else { return false }
        switch digest {
        case NID_sha256, NID_sha384, NID_sha512: return true
        case NID_undef: return algorithm == NID_ED25519 || algorithm == NID_ED448
        default: return false
        }
    }
}
