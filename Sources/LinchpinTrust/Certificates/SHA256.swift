internal import COpenSSL
internal import Foundation

/// SHA-256, by OpenSSL.
enum SHA256 {
    /// The 32 bytes of the digest; empty only if OpenSSL has no SHA-256, which then matches no pin.
    static func digest(_ data: Data) -> Data {
        var digest = [UInt8](repeating: 0, count: 32)
        var length = 0
        let done = data.withUnsafeBytes { bytes in
            EVP_Q_digest(nil, "SHA256", nil, bytes.baseAddress, bytes.count, &digest, &length)
        }
        return done == 1 && length == 32 ? Data(digest) : Data()
    }
}
