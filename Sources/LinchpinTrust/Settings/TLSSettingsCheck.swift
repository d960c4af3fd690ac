internal import COpenSSL

/// Tries settings on a context of OpenSSL's that no connection uses.
struct TLSSettingsCheck {
    let settings: TLSSettings

    /// - Throws: ``TrustError`` with code `malformedTLSSettings`, naming the item.
    func run() throws(TrustError) {
        guard settings.minimumVersion <= settings.maximumVersion else {
            throw malformed("the minimum version is above the maximum version")
        }
        if let level = settings.securityLevel, !(1...5).contains(level) {
            throw malformed("the security level \(level) is not from 1 to 5")
        }
        if let ciphers = settings.ciphers {
            guard settings.minimumVersion == .v1_2 else {
                throw malformed("ciphers are for TLS 1.2, which is not spoken; name cipherSuites for TLS 1.3")
            }
            try each(ciphers, "ciphers", check(cipher:))
        }
        if let suites = settings.cipherSuites {
            guard settings.maximumVersion == .v1_3 else {
                throw malformed("cipherSuites are for TLS 1.3, which is not spoken; name ciphers for TLS 1.2")
            }
            try each(suites, "cipherSuites", check(suite:))
        }
        if let groups = settings.groups { try each(groups, "groups", check(group:)) }
        try withContext { context throws(TrustError) in
            guard settings.apply(toContext: UnsafeMutableRawPointer(context)) else {
                throw malformed("OpenSSL refuses them together: \(OpenSSLError.drainText())")
            }
        }
    }

    private func each(
        _ items: [String],
        _ list: String,
        _ check: (String) throws(TrustError) -> Void
    ) throws(TrustError) {
        guard !items.isEmpty else { throw malformed("\(list) is empty; leave it out for OpenSSL's choice") }
        for item in items { try check(item) }
    }

    /// A keyword such as `ALL`, or an operator, would let in what nobody named.
    private func check(cipher name: String) throws(TrustError) {
        try withContext { context throws(TrustError) in
            SSL_CTX_set_ciphersuites(context, "")
            guard SSL_CTX_set_cipher_list(context, name) == 1, let found = only(of: context), found.name == name else {
                throw malformed("\"\(name)\" is not the name of a cipher for TLS 1.2; see `openssl ciphers -tls1_2`")
            }
            let authentication = SSL_CIPHER_get_auth_nid(found.cipher)
            guard ![NID_auth_null, NID_auth_psk, NID_auth_srp].contains(authentication) else {
                throw malformed("with the cipher \"\(name)\" a server does not prove itself by a certificate")
            }
            guard SSL_CIPHER_get_cipher_nid(found.cipher) != NID_undef else {
                throw malformed("the cipher \"\(name)\" does not encrypt")
            }
        }
    }

    private func check(suite name: String) throws(TrustError) {
        try withContext { context throws(TrustError) in
            // Some versions of OpenSSL pass over a name that they do not know.
            let names = SSL_CTX_set_ciphersuites(context, name) == 1 ? self.names(of: context) : []
            guard names.contains(name), name.hasPrefix("TLS_") else {
                throw malformed(
                    "\"\(name)\" is not the name of a cipher suite of TLS 1.3; see `openssl ciphers -s -tls1_3`"
                )
            }
        }
    }

    private func check(group name: String) throws(TrustError) {
        try withContext { context throws(TrustError) in
            var text = Array(name.utf8CString)
            guard !name.contains(":"), SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, &text) == 1 else {
                throw malformed("\"\(name)\" is not the name of a group that this OpenSSL can use in TLS")
            }
        }
    }

    private func only(of context: OpaquePointer) -> (cipher: OpaquePointer, name: String)? {
        guard let ciphers = SSL_CTX_get_ciphers(context), OPENSSL_sk_num(ciphers) == 1,
            let cipher = OPENSSL_sk_value(ciphers, 0), let name = SSL_CIPHER_get_name(OpaquePointer(cipher))
        else { return nil }
        return (OpaquePointer(cipher), String(cString: name))
    }

    private func names(of context: OpaquePointer) -> [String] {
        guard let ciphers = SSL_CTX_get_ciphers(context) else { return [] }
        return (0..<OPENSSL_sk_num(ciphers)).compactMap { index in
            OPENSSL_sk_value(ciphers, index).flatMap { SSL_CIPHER_get_name(OpaquePointer($0)) }
                .map { String(cString: $0) }
        }
    }

    private func withContext(_ body: (OpaquePointer) throws(TrustError) -> Void) throws(TrustError) {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw TrustError(.evaluationUnavailable, reason: OpenSSLError.drainText())
        }
        defer { SSL_CTX_free(context) }
        try body(context)
    }

    private func malformed(_ why: String) -> TrustError { TrustError(.malformedTLSSettings, reason: why) }
}
