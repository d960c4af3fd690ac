package import Foundation
internal import LinchpinTrust

/// The hashes that a signature of a request is made of, for the layer above, which does not know the trust layer.
package enum RequestDigest {
    /// The SHA-256 of the bytes, as lower-case hexadecimal digits; nil if OpenSSL has none.
    package static func sha256(_ data: Data) -> String? {
        let digest = LinchpinTrust.SHA256.digest(data)
        return digest.isEmpty ? nil : hexadecimal(digest)
    }

    /// The HMAC-SHA-256 of the bytes, as lower-case hexadecimal digits; nil for an empty key, and if OpenSSL has none.
    package static func hmacSHA256(_ data: Data, key: Data) -> String? {
        HMAC.sha256(data, key: key).map(hexadecimal)
    }

    private static func hexadecimal(_ bytes: Data) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
}
