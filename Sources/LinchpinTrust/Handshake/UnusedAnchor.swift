internal import COpenSSL
internal import Foundation

/// A certificate authority that has issued nothing and never will: its key is freed as soon as it has signed itself.
///
/// libcurl gets it as its only anchor, so that libcurl on its own trusts no server.
package enum UnusedAnchor {
    /// The certificate as PEM, made once per process.
    package static let pem: Result<String, TrustError> = Result { () throws(TrustError) in
        OpenSSLError.clear()
        guard let pem = make() else {
            throw TrustError(.evaluationUnavailable, reason: "no anchor could be made: \(OpenSSLError.drainText())")
        }
        return pem
    }

    private static func make() -> String? {
        guard let generation = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(generation) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(generation) == 1, EVP_PKEY_keygen(generation, &key) == 1,
            let pointer = X509_new()
        else { return nil }
        defer { EVP_PKEY_free(key) }
        let handle = X509Handle(takingOwnership: pointer)
        let name = X509_get_subject_name(pointer)
        guard X509_set_version(pointer, 2) == 1,
            ASN1_INTEGER_set(X509_get_serialNumber(pointer), 1) == 1,
            X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "Linchpin trusts nothing here", -1, -1, 0) == 1,
            X509_set_issuer_name(pointer, name) == 1,
            X509_gmtime_adj(X509_getm_notBefore(pointer), 0) != nil,
            X509_gmtime_adj(X509_getm_notAfter(pointer), 1) != nil,
            X509_set_pubkey(pointer, key) == 1,
            X509_sign(pointer, key, nil) > 0
        else { return nil }
        return Certificate(handle: handle)?.pem
    }
}
