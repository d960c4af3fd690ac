internal import CLinchpin
internal import COpenSSL
internal import Foundation

/// What libcurl gets in place of trust anchors: a revocation list that revokes nothing, of an authority that is none.
///
/// It is no certificate, so that libcurl on its own trusts no server. A list has no public key either, over which
/// OpenSSL would spend a seventh of a handshake for each connection. There is one for each layer of TLS that a
/// connection may have, which is how a handshake is known to be the proxy's or the server's: libcurl calls the same
/// callback for both (PITFALLS P13), but gives each its own store.
package enum LayerMark: String, CaseIterable, Sendable {
    /// Of connections to the server that was asked for.
    case server
    /// Of connections to an HTTPS proxy on the way there.
    case proxy

    private static let lists: Result<[LayerMark: RevocationList], TrustError> = Result { () throws(TrustError) in
        var made: [LayerMark: RevocationList] = [:]
        for layer in LayerMark.allCases {
            OpenSSLError.clear()
            guard let list = RevocationList(issuer: "Linchpin trusts no \(layer.rawValue) by this") else {
                throw TrustError(
                    .evaluationUnavailable,
                    reason: "no mark for libcurl could be made: \(OpenSSLError.drainText())"
                )
            }
            made[layer] = list
        }
        return made
    }

    /// The list as PEM, made once per process.
    package func pem() throws(TrustError) -> String {
        guard let pem = try Self.lists.get()[self]?.pem else {
            throw TrustError(.evaluationUnavailable, reason: "there is no mark for the \(rawValue)")
        }
        return pem
    }

    /// The layer whose mark, and nothing else, is in an `X509_STORE *`; nil for any other store.
    static func layer(ofStore store: OpaquePointer?) -> LayerMark? {
        guard let store, let objects = X509_STORE_get0_objects(store), clinchpin_sk_X509_OBJECT_num(objects) == 1,
            let object = clinchpin_sk_X509_OBJECT_value(objects, 0),
            let list = X509_OBJECT_get0_X509_CRL(object), let der = RevocationList.der(of: list),
            let lists = try? lists.get()
        else { return nil }
        return lists.first { $0.value.der == der }?.key
    }
}

/// A revocation list (RFC 5280 §5) that its issuer's key has signed, which is freed at once.
private struct RevocationList {
    let der: Data
    let pem: String

    init?(issuer: String) {
        guard let list = X509_CRL_new() else { return nil }
        defer { X509_CRL_free(list) }
        guard Self.fill(list, issuer), let der = Self.der(of: list), let pem = Self.pem(of: list) else { return nil }
        self.der = der
        self.pem = pem
    }

    private static func fill(_ list: OpaquePointer, _ issuer: String) -> Bool {
        guard let generation = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil) else { return false }
        defer { EVP_PKEY_CTX_free(generation) }
        var key: OpaquePointer?
        defer { EVP_PKEY_free(key) }
        let name = X509_NAME_new()
        defer { X509_NAME_free(name) }
        let now = X509_gmtime_adj(nil, 0)
        defer { ASN1_TIME_free(now) }
        return EVP_PKEY_keygen_init(generation) == 1 && EVP_PKEY_keygen(generation, &key) == 1
            && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, issuer, -1, -1, 0) == 1
            && X509_CRL_set_version(list, 1) == 1
            && X509_CRL_set_issuer_name(list, name) == 1
            && X509_CRL_set1_lastUpdate(list, now) == 1
            && X509_CRL_set1_nextUpdate(list, now) == 1
            && X509_CRL_sign(list, key, nil) > 0
    }

    /// The DER encoding; nil when OpenSSL fails.
    static func der(of list: OpaquePointer) -> Data? {
        var buffer: UnsafeMutablePointer<UInt8>?
        let length = i2d_X509_CRL(list, &buffer)
        return Data(takingOpenSSL: buffer, length: Int(length))
    }

    private static func pem(of list: OpaquePointer) -> String? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        guard PEM_write_bio_X509_CRL(bio, list) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(bio)))
        guard BIO_read(bio, &buffer, Int32(buffer.count)) == buffer.count else { return nil }
        return String(decoding: buffer, as: UTF8.self)
    }
}
