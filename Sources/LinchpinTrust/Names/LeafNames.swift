internal import COpenSSL

/// The form of every name that a server's certificate speaks for, whether it is the one that is asked for or not.
///
/// One malformed name is enough to refuse: what one program reads over, another matches (RFC 5280 §4.2.1.6, RFC 9525
/// §2). Underscores, addresses written as DNS names and a common name apart are refused for public authorities only,
/// and not in a certificate that its own key signed: that one is its own anchor or refused before. A name that is also
/// its issuer's does not make it one.
struct LeafNames {
    let profile: ValidationProfile

    /// What is wrong with the names; nil when they are well formed. No names at all are the caller's to refuse.
    func fault(in leaf: Certificate) -> String? {
        guard X509_get_ext_by_NID(leaf.handle.pointer, NID_subject_alt_name, -1) >= 0 else { return nil }
        guard let names = GeneralName.alternativeNames(of: leaf) else { return "its alternative names cannot be read" }
        let isLenient = profile == .privatePKI || leaf.isSelfSigned
        for name in names {
            if let fault = name.fault(isLenient: isLenient) { return "one of its alternative names \(fault)" }
        }
        if !isLenient, !CommonNames.areCovered(of: leaf, by: names) {
            return "its common name is a host, but none of its alternative names (CA/B BR §7.1.4.3)"
        }
        return nil
    }
}
