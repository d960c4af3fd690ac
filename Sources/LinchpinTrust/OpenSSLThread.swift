internal import COpenSSL

/// What OpenSSL keeps for a thread.
package enum OpenSSLThread {
    /// Frees it; the calling thread uses OpenSSL no more (OPENSSL_thread_stop(3)).
    package static func end() { OPENSSL_thread_stop() }
}
