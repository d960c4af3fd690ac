internal import CLinchpin
internal import COpenSSL

/// Whether what an issuer says about its certificates is signed as well as these have to be: OpenSSL compares the
/// signature and does not ask over what digest it is.
///
/// A question's nonce is the asker's choice, so that a collision is enough to forge an answer over SHA-1
/// (CA/B BR §7.1.3.2.1, RFC 6960 §5).
enum SignatureDigest {
    /// In bits: what OpenSSL's security level 2 wants of the signatures in a chain.
    private static let leastStrength = 112

    static func isStrong(_ algorithm: UnsafePointer<X509_ALGOR>?) -> Bool {
        defer { OpenSSLError.clear() }
        guard let algorithm else { return false }
        let identifier = identifier(of: algorithm)
        if identifier == NID_rsassaPss { return isPSSStrong(algorithm) }
        var (digest, key) = (NID_undef, NID_undef)
        guard OBJ_find_sigid_algs(identifier, &digest, &key) == 1 else { return false }
        // These have a digest of their own (RFC 8410).
        if digest == NID_undef { return key == NID_ED25519 || key == NID_ED448 }
        return isStrong(digest: digest)
    }

    /// RSA-PSS says its digest in its parameters, and means SHA-1 by none (RFC 4055 §3.1).
    private static func isPSSStrong(_ algorithm: UnsafePointer<X509_ALGOR>) -> Bool {
        var (kind, value): (Int32, UnsafeRawPointer?) = (V_ASN1_UNDEF, nil)
        X509_ALGOR_get0(nil, &kind, &value, algorithm)
        guard kind == V_ASN1_SEQUENCE, let value,
            let unpacked = ASN1_item_unpack(value.assumingMemoryBound(to: ASN1_STRING.self), RSA_PSS_PARAMS_it())
        else { return false }
        let parameters = unpacked.assumingMemoryBound(to: RSA_PSS_PARAMS.self)
        defer { RSA_PSS_PARAMS_free(parameters) }
        guard let hash = parameters.pointee.hashAlgorithm else { return false }
        return isStrong(digest: identifier(of: hash))
    }

    /// A collision takes half the bits of a digest.
    private static func isStrong(digest: Int32) -> Bool {
        guard let name = OBJ_nid2sn(digest), let method = EVP_get_digestbyname(name) else { return false }
        return Int(EVP_MD_get_size(method)) * 4 >= leastStrength
    }

    private static func identifier(of algorithm: UnsafePointer<X509_ALGOR>) -> Int32 {
        var object: OpaquePointer?
        X509_ALGOR_get0(&object, nil, nil, algorithm)
        return OBJ_obj2nid(object)
    }
}
