internal import COpenSSL
package import Foundation

/// SHA-256, by OpenSSL.
package enum SHA256 {
    /// Looked for once: with EVP_Q_digest(3) the search is most of the work for a short text.
    private static let method = Method(pointer: EVP_MD_fetch(nil, "SHA256", nil))

    fileprivate struct Method {
        let pointer: OpaquePointer?
    }

    /// The 32 bytes of the digest; empty only if OpenSSL has no SHA-256, which then matches no pin.
    package static func digest(_ data: Data) -> Data {
        guard let method = method.pointer else { return Data() }
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        let done = data.withUnsafeBytes { bytes in
            EVP_Digest(bytes.baseAddress, bytes.count, &digest, &length, method, nil)
        }
        return done == 1 && length == 32 ? Data(digest) : Data()
    }
}

// Fetched before anybody sees it, never changed and never freed; OpenSSL's methods may be used by any thread
// (EVP_MD_fetch(3)).
extension SHA256.Method: @unchecked Sendable {}
