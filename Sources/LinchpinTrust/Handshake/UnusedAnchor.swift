internal import CLinchpin
internal import COpenSSL
internal import Foundation

/// A certificate authority that has issued nothing and never will: its key is freed as soon as it has signed itself.
///
/// libcurl gets it as its only anchor, so that libcurl on its own trusts no server. There is one for each layer of
/// TLS that a connection may have, which is how a handshake is known to be the proxy's or the server's: libcurl calls
/// the same callback for both (PITFALLS P13), but gives each its own anchors.
package enum UnusedAnchor: String, CaseIterable, Sendable {
    /// Of connections to the server that was asked for.
    case server
    /// Of connections to an HTTPS proxy on the way there.
    case proxy

    private static let certificates: Result<[UnusedAnchor: Certificate], TrustError> = Result { () throws(TrustError) in
        var made: [UnusedAnchor: Certificate] = [:]
        for layer in UnusedAnchor.allCases {
            OpenSSLError.clear()
            guard let certificate = make(name: "Linchpin trusts no \(layer.rawValue) by this") else {
                throw TrustError(
                    .evaluationUnavailable,
                    reason: "no anchor could be made: \(OpenSSLError.drainText())"
                )
            }
            made[layer] = certificate
        }
        return made
    }

    /// The certificate as PEM, made once per process.
    package func pem() throws(TrustError) -> String {
        guard let certificate = try Self.certificates.get()[self] else {
            throw TrustError(.evaluationUnavailable, reason: "there is no anchor for the \(rawValue)")
        }
        return certificate.pem
    }

    /// The layer whose anchor, and nothing else, is in an `X509_STORE *`; nil for any other store.
    static func layer(ofStore store: OpaquePointer?) -> UnusedAnchor? {
        guard let store, let objects = X509_STORE_get0_objects(store), clinchpin_sk_X509_OBJECT_num(objects) == 1,
            let object = clinchpin_sk_X509_OBJECT_value(objects, 0),
            let pointer = X509_OBJECT_get0_X509(object),
            let anchor = Certificate(handle: X509Handle(sharing: pointer)),
            let certificates = try? certificates.get()
        else { return nil }
        return certificates.first { $0.value == anchor }?.key
    }

    private static func make(name text: String) -> Certificate? {
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
            X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0) == 1,
            X509_set_issuer_name(pointer, name) == 1,
            X509_gmtime_adj(X509_getm_notBefore(pointer), 0) != nil,
            X509_gmtime_adj(X509_getm_notAfter(pointer), 1) != nil,
            X509_set_pubkey(pointer, key) == 1,
            X509_sign(pointer, key, nil) > 0
        else { return nil }
        return Certificate(handle: handle)
    }
}
