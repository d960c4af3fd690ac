internal import CLinchpin
internal import COpenSSL

/// Key types and sizes, of every certificate and of the anchor as well (CA/B BR §6.1.5, §6.1.6, §7.1.3.1).
///
/// RSA of at least 2,048 bits, ECDSA on a named curve (RFC 5480 §2.1.1), EdDSA (RFC 8410). For public authorities the
/// RSA modulus is a multiple of 8 bits and the curve is P-256, P-384 or P-521. EdDSA and RSA keys that are bound to PSS
/// are let through though the Baseline Requirements do not list them: they are not weaker.
struct KeyRule: PathRule {
    let profile: ValidationProfile

    private static let fewestBits: Int32 = 2048
    /// OSSL_PKEY_PARAM_RSA_E of core_names.h.
    private static let exponentName = "e"

    func verdict(on path: CandidatePath) -> RuleVerdict {
        for link in path.links {
            if let weakness = weakness(of: link.pointer) { return link.refused(weakness) }
        }
        return .passed
    }

    private func weakness(of certificate: OpaquePointer) -> String? {
        var algorithm: OpaquePointer?
        var identifier: UnsafeMutablePointer<X509_ALGOR>?
        guard let key = X509_get0_pubkey(certificate),
            X509_PUBKEY_get0_param(&algorithm, nil, nil, &identifier, X509_get_X509_PUBKEY(certificate)) == 1
        else { return "its key cannot be read" }
        switch OBJ_obj2nid(algorithm) {
        case NID_rsaEncryption, NID_rsassaPss: return rsaWeakness(of: key)
        case NID_X9_62_id_ecPublicKey: return curveWeakness(of: identifier)
        case NID_ED25519, NID_ED448: return nil
        default: return "its key is of a type that is not accepted"
        }
    }

    private func rsaWeakness(of key: OpaquePointer) -> String? {
        let bits = EVP_PKEY_get_bits(key)
        guard bits >= Self.fewestBits else { return "its RSA key has \(bits) bits, fewer than \(Self.fewestBits)" }
        if profile == .webPKI, bits % 8 != 0 { return "its RSA key has \(bits) bits, no multiple of 8" }
        var exponent: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, Self.exponentName, &exponent) == 1, let exponent else {
            return "the exponent of its RSA key cannot be read"
        }
        defer { BN_free(exponent) }
        guard BN_is_odd(exponent) == 1, BN_num_bits(exponent) >= 2 else {
            return "the exponent of its RSA key is not an odd number above 1"
        }
        return nil
    }

    private func curveWeakness(of identifier: UnsafeMutablePointer<X509_ALGOR>?) -> String? {
        var kind: Int32 = V_ASN1_UNDEF
        var value: UnsafeRawPointer?
        X509_ALGOR_get0(nil, &kind, &value, identifier)
        guard kind == V_ASN1_OBJECT, let value else { return "its key's curve is not given by name" }
        if profile == .privatePKI { return nil }
        switch OBJ_obj2nid(OpaquePointer(value)) {
        case NID_X9_62_prime256v1, NID_secp384r1, NID_secp521r1: return nil
        default: return "its key's curve is not P-256, P-384 or P-521"
        }
    }
}
