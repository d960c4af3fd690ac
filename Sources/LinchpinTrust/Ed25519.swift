internal import COpenSSL
internal import Foundation

/// Signatures of RFC 8032, by OpenSSL.
enum Ed25519 {
    /// How long every signature is, in bytes.
    static let signatureLength = 64

    /// Whether a key is one of this algorithm.
    static func isKey(_ key: PublicKey) -> Bool { withKey(key) { EVP_PKEY_get_id($0) == EVP_PKEY_ED25519 } ?? false }

    /// Whether the signature over the message is that of the key; false for a key of another algorithm.
    static func verifies(_ signature: Data, over message: Data, by key: PublicKey) -> Bool {
        guard signature.count == signatureLength else { return false }
        return withKey(key) { pointer in
            guard EVP_PKEY_get_id(pointer) == EVP_PKEY_ED25519, let context = EVP_MD_CTX_new() else { return false }
            defer { EVP_MD_CTX_free(context) }
            guard EVP_DigestVerifyInit(context, nil, nil, nil, pointer) == 1 else { return false }
            return signature.withUnsafeBytes { signature in
                message.withUnsafeBytes { message in
                    // Less than 0 is an error of OpenSSL's own, not a signature.
                    EVP_DigestVerify(
                        context,
                        signature.bindMemory(to: UInt8.self).baseAddress,
                        signature.count,
                        message.bindMemory(to: UInt8.self).baseAddress,
                        message.count
                    ) == 1
                }
            }
        } ?? false
    }

    /// The signature over the message; nil for a key of another algorithm, and if OpenSSL refuses.
    static func signature(over message: Data, by key: KeyHandle) -> Data? {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        guard EVP_PKEY_get_id(key.pointer) == EVP_PKEY_ED25519, let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1 else { return nil }
        var signature = [UInt8](repeating: 0, count: signatureLength)
        var length = signature.count
        let isSigned = message.withUnsafeBytes { message in
            EVP_DigestSign(
                context,
                &signature,
                &length,
                message.bindMemory(to: UInt8.self).baseAddress,
                message.count
            ) == 1
        }
        return isSigned && length == signature.count ? Data(signature) : nil
    }

    /// Lends OpenSSL's form of a key; nil for one that it cannot read.
    private static func withKey<Result>(_ key: PublicKey, _ body: (OpaquePointer) -> Result) -> Result? {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        let pointer = key.der.withUnsafeBytes { bytes -> OpaquePointer? in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            return d2i_PUBKEY(nil, &cursor, bytes.count)
        }
        guard let pointer else { return nil }
        defer { EVP_PKEY_free(pointer) }
        return body(pointer)
    }
}
