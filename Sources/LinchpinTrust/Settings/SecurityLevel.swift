internal import COpenSSL

/// What a level of SSL_CTX_set_security_level(3) wants of the certificates of a server. OpenSSL looks at these in its own
/// verification, which ours is in place of.
struct SecurityLevel {
    let level: Int

    /// How many bits of security a key or a signature has to have.
    private var leastBits: Int32 {
        switch level {
        case 5...: 256
        case 4: 192
        case 3: 128
        case 2: 112
        default: 80
        }
    }

    /// Looks at all keys of a chain, and at all signatures but that of its end, which nothing rests on.
    ///
    /// - Throws: ``TrustError`` with code `chainInvalid`.
    func validate(_ chain: [Certificate]) throws(TrustError) {
        defer { OpenSSLError.clear() }
        for (index, certificate) in chain.enumerated() {
            let pointer = certificate.handle.pointer
            guard let key = X509_get0_pubkey(pointer), EVP_PKEY_get_security_bits(key) >= leastBits else {
                throw tooWeak("the key", certificate)
            }
            guard index < chain.count - 1 else { return }
            var bits: Int32 = 0
            guard X509_get_signature_info(pointer, nil, nil, &bits, nil) == 1, bits >= leastBits else {
                throw tooWeak("the signature", certificate)
            }
        }
    }

    private func tooWeak(_ what: String, _ certificate: Certificate) -> TrustError {
        TrustError(
            .chainInvalid,
            reason: "\(what) of \(certificate.subject) has less than the \(leastBits) bits of security level \(level)"
        )
    }
}
