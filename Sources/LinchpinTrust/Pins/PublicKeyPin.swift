public import Foundation

/// SHA-256 of a SubjectPublicKeyInfo, written `sha256/` and 44 characters of Base64 (RFC 7469 §2.4).
public struct PublicKeyPin: Hashable, Sendable {
    /// The 32 bytes of the digest.
    public let digest: Data

    /// Reads a pin in one of the spellings that tools write:
    ///
    /// - `sha256/AAAA…AAA=`, as in OkHttp and here;
    /// - `sha256//AAAA…AAA=`, as in curl;
    /// - `pin-sha256="AAAA…AAA="`, as in RFC 7469;
    /// - 64 hexadecimal digits, with a colon after every second or without colons.
    ///
    /// The Base64 is the standard one with its padding. Whether the 32 bytes are the digest of a key cannot be seen
    /// from them: the fingerprint of a certificate is a pin that matches nothing.
    ///
    /// - Throws: ``TrustError`` with code `malformedPin`, naming the text and what to write instead.
    public init(_ text: String) throws(TrustError) { digest = try PinText(text: text).digest() }

    /// The pin of a key.
    public init(of key: PublicKey) {
        let hash = SHA256.digest(key.der)
        // Without SHA-256 no two keys may have the same pin.
        digest = hash.count == 32 ? hash : Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }
}

extension PublicKeyPin: CustomStringConvertible {
    /// The pin as it is written in a policy: `sha256/` and Base64.
    public var description: String { "sha256/\(digest.base64EncodedString())" }
}
