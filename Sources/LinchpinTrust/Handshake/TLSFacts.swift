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
    ///   - connection: an `SSL *` that retains the verdict, its handshake done.
    package init(connection: UnsafeMutableRawPointer, verdict: Verdict) {
        (version, cipher) = verdict.words(of: connection)
        self.verdict = verdict
    }
}
