internal import COpenSSL

/// What is known of an accepted TLS connection.
package struct TLSFacts {
    /// In OpenSSL's words, such as `TLSv1.3`.
    package let version: String
    /// In OpenSSL's words, such as `TLS_AES_256_GCM_SHA384`.
    package let cipher: String
    private let verdict: Verdict

    /// What the server sent, its own certificate first.
    package var peerCertificates: [Certificate] { verdict.presentedChain }

    /// - Parameters:
    ///   - connection: an `SSL *`.
    package init(connection: UnsafeMutableRawPointer, verdict: Verdict) {
        let pointer = OpaquePointer(connection)
        version = SSL_get_version(pointer).map { String(cString: $0) } ?? ""
        cipher = SSL_CIPHER_get_name(SSL_get_current_cipher(pointer)).map { String(cString: $0) } ?? ""
        self.verdict = verdict
    }
}
