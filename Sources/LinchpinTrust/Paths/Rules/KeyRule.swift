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

    func verdict(on path: CandidatePath) -> RuleVerdict {
        for link in path.links {
            if let weakness = weakness(of: link.pointer) { return link.refused(weakness) }
        }
        return .passed
    }

    private func weakness(of certificate: OpaquePointer) -> String? {
        var algorithm: OpaquePointer?
        var bytes: UnsafePointer<UInt8>?
        var length: Int32 = 0
        var identifier: UnsafeMutablePointer<X509_ALGOR>?
        let info = X509_get_X509_PUBKEY(certificate)
        guard let key = X509_get0_pubkey(certificate),
            X509_PUBKEY_get0_param(&algorithm, &bytes, &length, &identifier, info) == 1
        else { return "its key cannot be read" }
        switch OBJ_obj2nid(algorithm) {
        case NID_rsaEncryption, NID_rsassaPss:
            return sizeWeakness(of: key) ?? exponentWeakness(of: UnsafeBufferPointer(start: bytes, count: Int(length)))
        case NID_X9_62_id_ecPublicKey: return curveWeakness(of: identifier)
        case NID_ED25519, NID_ED448: return nil
        default: return "its key is of a type that is not accepted"
        }
    }

    private func sizeWeakness(of key: OpaquePointer) -> String? {
        let bits = EVP_PKEY_get_bits(key)
        guard bits >= Self.fewestBits else { return "its RSA key has \(bits) bits, fewer than \(Self.fewestBits)" }
        if profile == .webPKI, bits % 8 != 0 { return "its RSA key has \(bits) bits, no multiple of 8" }
        return nil
    }

    /// What is signed with an exponent of 1 is its own signature.
    ///
    /// Asking the parsed key for it (EVP_PKEY_get_bn_param(3)) takes longer than all other rules together.
    private func exponentWeakness(of key: UnsafeBufferPointer<UInt8>) -> String? {
        guard let exponent = clinchpin_rsa_exponent(key.baseAddress, key.count) else {
            return "the exponent of its RSA key cannot be read"
        }
        defer { ASN1_INTEGER_free(exponent) }
        let octets = UnsafeBufferPointer(
            start: ASN1_STRING_get0_data(exponent),
            count: Int(max(ASN1_STRING_length(exponent), 0))
        )
        guard ASN1_STRING_type(exponent) == V_ASN1_INTEGER, let last = octets.last, last & 1 == 1,
            octets.count > 1 || last > 1
        else { return "the exponent of its RSA key is not an odd number above 1" }
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
