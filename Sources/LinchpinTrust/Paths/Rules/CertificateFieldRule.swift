internal import COpenSSL

/// The fields of a certificate outside its extensions (RFC 5280 §4.1, CA/B BR §7.1.1).
struct CertificateFieldRule: PathRule {
    func verdict(on path: CandidatePath) -> RuleVerdict {
        for link in path.formal {
            let certificate = link.pointer
            guard X509_get_version(certificate) == 2 else { return link.refused("it is not of version 3") }
            guard X509_ALGOR_cmp(signatureAlgorithm(of: certificate), X509_get0_tbs_sigalg(certificate)) == 0 else {
                return link.refused("it names two signature algorithms (RFC 5280 §4.1.1.2)")
            }
            guard X509_NAME_entry_count(X509_get_issuer_name(certificate)) > 0 else {
                return link.refused("its issuer has no name (RFC 5280 §4.1.2.4)")
            }
            if link.depth > 0, X509_NAME_entry_count(X509_get_subject_name(certificate)) <= 0 {
                return link.refused("it is an authority without a name (RFC 5280 §4.1.2.6)")
            }
        }
        return .passed
    }

    private func signatureAlgorithm(of certificate: OpaquePointer) -> UnsafePointer<X509_ALGOR>? {
        var algorithm: UnsafePointer<X509_ALGOR>?
        X509_get0_signature(nil, &algorithm, certificate)
        return algorithm
    }
}
