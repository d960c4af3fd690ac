internal import COpenSSL
package import Foundation

/// Keyed hashes (RFC 2104), by OpenSSL.
package enum HMAC {
    /// The 32 bytes of HMAC-SHA-256; nil for an empty key, and if OpenSSL has none.
    package static func sha256(_ data: Data, key: Data) -> Data? {
        guard !key.isEmpty else { return nil }
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        var digest = [UInt8](repeating: 0, count: 32)
        var length = 0
        let done = data.withUnsafeBytes { bytes in
            key.withUnsafeBytes { key in
                EVP_Q_mac(
                    nil,
                    "HMAC",
                    nil,
                    "SHA256",
                    nil,
                    key.baseAddress,
                    key.count,
                    bytes.baseAddress,
                    bytes.count,
                    &digest,
                    digest.count,
                    &length
                )
            }
        }
        return done != nil && length == 32 ? Data(digest) : nil
    }
}
