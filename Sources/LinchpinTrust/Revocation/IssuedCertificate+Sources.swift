internal import CLinchpin
internal import COpenSSL

extension IssuedCertificate {
    /// Where OCSP is spoken about the certificate (RFC 5280 §4.2.2.1), over plain HTTP: its answers are signed, and
    /// HTTPS would lead to the same question about another server.
    var responderURLs: [String] {
        guard let list = X509_get1_ocsp(certificate.handle.pointer) else { return [] }
        defer { X509_email_free(list) }
        return (0..<OPENSSL_sk_num(list)).compactMap { index in
            OPENSSL_sk_value(list, index).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
        }.filter(Self.isPlainHTTP)
    }

    /// Where the list is that has the certificate if it was revoked (RFC 5280 §4.2.1.13), over plain HTTP.
    var revocationListURLs: [String] {
        guard let raw = X509_get_ext_d2i(certificate.handle.pointer, NID_crl_distribution_points, nil, nil) else {
            return []
        }
        let points = OpaquePointer(raw)
        defer { CRL_DIST_POINTS_free(points) }
        return (0..<OPENSSL_sk_num(points)).flatMap { index -> [String] in
            guard let point = OPENSSL_sk_value(points, index)?.assumingMemoryBound(to: DIST_POINT.self),
                let names = clinchpin_distribution_point_names(point)
            else { return [] }
            return (0..<clinchpin_sk_GENERAL_NAME_num(names)).compactMap { Self.uri(names, $0) }
        }.filter(Self.isPlainHTTP)
    }

    private static func uri(_ names: OpaquePointer, _ index: Int32) -> String? {
        guard let name = clinchpin_sk_GENERAL_NAME_value(names, index), clinchpin_general_name_type(name) == GEN_URI,
            let string = clinchpin_general_name_string(name)
        else { return nil }
        let length = Int(max(ASN1_STRING_length(string), 0))
        return String(decoding: UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: length), as: UTF8.self)
    }

    private static func isPlainHTTP(_ url: String) -> Bool { url.lowercased().hasPrefix("http://") }
}

extension Certificate {
    /// Whether it says that its server always staples an OCSP response: status_request, 5, among the features of
    /// RFC 7633. An extension that cannot be read says so too.
    var demandsStaple: Bool {
        var isCritical: Int32 = 0
        guard let raw = X509_get_ext_d2i(handle.pointer, NID_tlsfeature, &isCritical, nil) else {
            // -1: there is none.
            return isCritical != -1
        }
        let features = OpaquePointer(raw)
        defer { OPENSSL_sk_pop_free(features) { ASN1_INTEGER_free($0?.assumingMemoryBound(to: ASN1_INTEGER.self)) } }
        return (0..<OPENSSL_sk_num(features)).contains { index in
            let feature = OPENSSL_sk_value(features, index)?.assumingMemoryBound(to: ASN1_INTEGER.self)
            return ASN1_INTEGER_get(feature) == Int(TLSEXT_TYPE_status_request)
        }
    }
}
