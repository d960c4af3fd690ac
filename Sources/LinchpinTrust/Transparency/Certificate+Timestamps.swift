internal import COpenSSL

extension Certificate {
    /// How many signed certificate timestamps are part of it (RFC 6962 §3.3). Their signatures are not looked at.
    package var embeddedTimestampCount: Int {
        defer { OpenSSLError.clear() }
        guard let list = X509_get_ext_d2i(handle.pointer, NID_ct_precert_scts, nil, nil) else { return 0 }
        defer { SCT_LIST_free(OpaquePointer(list)) }
        return max(0, Int(OPENSSL_sk_num(OpaquePointer(list))))
    }
}
