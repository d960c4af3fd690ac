internal import COpenSSL
public import Foundation

/// A public key with its algorithm: the SubjectPublicKeyInfo of RFC 5280 §4.1, compared byte by byte.
public struct PublicKey: Hashable, Sendable {
    /// The DER encoding of the SubjectPublicKeyInfo.
    public let der: Data

    /// Reads a SubjectPublicKeyInfo from DER.
    ///
    /// - Throws: ``TrustError`` with code `malformedPublicKey`.
    public init(der: Data) throws(TrustError) {
        OpenSSLError.clear()
        var consumed = 0
        let key = der.withUnsafeBytes { bytes -> OpaquePointer? in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            let start = cursor
            let key = d2i_PUBKEY(nil, &cursor, bytes.count)
            if let cursor, let start { consumed = cursor - start }
            return key
        }
        guard let key else {
            throw TrustError(
                .malformedPublicKey,
                reason: "the data is not a SubjectPublicKeyInfo: \(OpenSSLError.drainText())"
            )
        }
        EVP_PKEY_free(key)
        guard consumed == der.count else {
            throw TrustError(.malformedPublicKey, reason: "\(der.count - consumed) bytes follow the public key")
        }
        self.der = der
    }

    /// Reads a `PUBLIC KEY` block from PEM text, as `openssl pkey -pubout` writes it.
    ///
    /// - Throws: ``TrustError`` with code `malformedPublicKey`.
    public init(pem: String) throws(TrustError) {
        let blocks: [PEMBlock]
        do {
            blocks = try PEMBlock.blocks(of: Data(pem.utf8))
        } catch {
            throw TrustError(.malformedPublicKey, reason: error.reason)
        }
        guard blocks.count == 1, let block = blocks.first, block.label == "PUBLIC KEY" else {
            throw TrustError(.malformedPublicKey, reason: "the text is not one PEM block `-----BEGIN PUBLIC KEY-----`")
        }
        try self.init(der: block.content)
    }

    /// Bytes that came out of a parsed certificate.
    init(verified der: Data) { self.der = der }
}
