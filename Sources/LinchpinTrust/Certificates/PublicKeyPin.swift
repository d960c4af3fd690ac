public import Foundation

/// SHA-256 of a SubjectPublicKeyInfo, written `sha256/` and 44 characters of Base64 (RFC 7469 §2.4).
public struct PublicKeyPin: Hashable, Sendable {
    /// The 32 bytes of the digest.
    public let digest: Data

    /// Reads a pin such as `sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=`.
    ///
    /// - Throws: ``TrustError`` with code `malformedPin`, naming the text and what is wrong with it.
    public init(_ text: String) throws(TrustError) {
        let prefix = "sha256/"
        guard text.hasPrefix(prefix) else {
            throw Self.malformed(text, "a pin starts with `sha256/`")
        }
        let base64 = text.dropFirst(prefix.count)
        guard let digest = Data(base64Encoded: String(base64)), digest.base64EncodedString() == base64 else {
            throw Self.malformed(text, "what follows `sha256/` is not standard Base64 with its padding")
        }
        guard digest.count == 32 else {
            throw Self.malformed(text, "it holds \(digest.count) bytes where a SHA-256 has 32")
        }
        self.digest = digest
    }

    /// The pin of a key.
    public init(of key: PublicKey) { digest = SHA256.digest(key.der) }

    private static func malformed(_ text: String, _ why: String) -> TrustError {
        TrustError(.malformedPin, reason: "\"\(text)\" is not a pin: \(why)")
    }
}

extension PublicKeyPin: CustomStringConvertible {
    /// The pin as it is written in a policy.
    public var description: String { "sha256/\(digest.base64EncodedString())" }
}
