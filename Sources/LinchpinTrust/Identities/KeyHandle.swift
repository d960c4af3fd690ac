internal import COpenSSL
internal import Foundation

/// The one owner of an OpenSSL private key.
final class KeyHandle {
    let pointer: OpaquePointer

    init(takingOwnership pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    /// Reads the one private key of a PEM text: PKCS #8, encrypted or not, or an algorithm's own older form.
    ///
    /// - Throws: ``TrustError`` with code `noPrivateKeyFound`, `wrongPassword` or `malformedIdentity`.
    convenience init(pem: String, password: String?) throws(TrustError) {
        let blocks: [PEMBlock]
        do {
            blocks = try PEMBlock.blocks(of: Data(pem.utf8))
        } catch {
            throw TrustError(.malformedIdentity, reason: error.reason)
        }
        let keys = blocks.filter { $0.label.hasSuffix("PRIVATE KEY") }
        guard let key = keys.first else {
            throw TrustError(
                .noPrivateKeyFound,
                reason: "the PEM text has no private key (`-----BEGIN PRIVATE KEY-----`)"
            )
        }
        guard keys.count == 1 else {
            throw TrustError(.malformedIdentity, reason: "the PEM text has \(keys.count) private keys; keep one")
        }
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        if key.label == "ENCRYPTED PRIVATE KEY" {
            self.init(takingOwnership: try Self.decrypted(key.content, password))
        } else if key.header.contains("ENCRYPTED") {
            let content = try Self.decryptedOldForm(key, password)
            do {
                self.init(takingOwnership: try Self.parsed(content))
            } catch {
                // One wrong password of 256 leaves what looks like the end of a text.
                throw Self.wrongPassword()
            }
        } else {
            self.init(takingOwnership: try Self.parsed(key.content))
        }
    }

    private static func parsed(_ der: Data) throws(TrustError) -> OpaquePointer {
        var consumed = 0
        let key = der.withUnsafeBytes { bytes -> OpaquePointer? in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            let start = cursor
            let key = d2i_AutoPrivateKey(nil, &cursor, bytes.count)
            if let cursor, let start { consumed = cursor - start }
            return key
        }
        guard let key else {
            throw TrustError(
                .malformedIdentity,
                reason: "the private key cannot be read: \(OpenSSLError.drainText())"
            )
        }
        guard consumed == der.count else {
            EVP_PKEY_free(key)
            throw TrustError(.malformedIdentity, reason: "\(der.count - consumed) bytes follow the private key")
        }
        return key
    }

    /// Decrypts PKCS #8 (RFC 5958 §3).
    private static func decrypted(_ der: Data, _ password: String?) throws(TrustError) -> OpaquePointer {
        let box = der.withUnsafeBytes { bytes -> OpaquePointer? in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            return d2i_X509_SIG(nil, &cursor, bytes.count)
        }
        guard let box else {
            throw TrustError(
                .malformedIdentity,
                reason: "the encrypted private key cannot be read: \(OpenSSLError.drainText())"
            )
        }
        defer { X509_SIG_free(box) }
        guard let password else { throw noPassword() }
        let bytes = password.utf8.map { CChar(bitPattern: $0) }
        guard let content = PKCS8_decrypt(box, bytes, Int32(clamping: bytes.count)) else {
            let words = OpenSSLError.drainText()
            // ERR_R_UNSUPPORTED in words: no password helps where the algorithm is one that OpenSSL left behind.
            guard words.contains("unsupported") else { throw wrongPassword() }
            throw TrustError(
                .malformedIdentity,
                reason: "the private key is encrypted by an algorithm that this OpenSSL does not use: \(words)"
            )
        }
        defer { PKCS8_PRIV_KEY_INFO_free(content) }
        guard let key = EVP_PKCS82PKEY(content) else {
            throw TrustError(
                .malformedIdentity,
                reason: "the private key cannot be read: \(OpenSSLError.drainText())"
            )
        }
        return key
    }

    /// Decrypts a block of the form that has `Proc-Type: 4,ENCRYPTED` before its Base64 (RFC 1421 §4.6).
    private static func decryptedOldForm(_ block: PEMBlock, _ password: String?) throws(TrustError) -> Data {
        guard let password else { throw noPassword() }
        var header = Array(block.header.utf8CString)
        var cipher = EVP_CIPHER_INFO()
        guard PEM_get_EVP_CIPHER_INFO(&header, &cipher) == 1 else {
            throw TrustError(
                .malformedIdentity,
                reason: "the private key is encrypted in a way that is not known: \(OpenSSLError.drainText())"
            )
        }
        var content = [UInt8](block.content)
        var length = content.count
        // Without a callback the last argument is the password itself (PEM_read_bio_PrivateKey(3)).
        var word = Array(password.utf8CString)
        guard PEM_do_header(&cipher, &content, &length, nil, &word) == 1 else { throw wrongPassword() }
        return Data(content.prefix(max(length, 0)))
    }

    private static func noPassword() -> TrustError {
        TrustError(.wrongPassword, reason: "the private key is encrypted; give its password")
    }

    private static func wrongPassword() -> TrustError {
        TrustError(.wrongPassword, reason: "the password does not decrypt the private key")
    }
}

// The key is never changed after it was read; OpenSSL counts its references and fills its caches under its own locks.
extension KeyHandle: @unchecked Sendable {}
