internal import CLinchpin
internal import COpenSSL

/// One extension of a certificate, not yet decoded (RFC 5280 §4.2).
struct CertificateExtension {
    /// OpenSSL's number of its kind; NID_undef for a kind that OpenSSL does not know.
    let nid: Int32
    let isCritical: Bool
    /// Lives as long as the certificate.
    private let pointer: OpaquePointer

    static func all(of certificate: Certificate) -> [CertificateExtension] {
        (0..<X509_get_ext_count(certificate.handle.pointer)).compactMap { index in
            guard let pointer = X509_get_ext(certificate.handle.pointer, index) else { return nil }
            return CertificateExtension(
                nid: OBJ_obj2nid(X509_EXTENSION_get_object(pointer)),
                isCritical: X509_EXTENSION_get_critical(pointer) != 0,
                pointer: pointer
            )
        }
    }

    /// Whether both are of one kind, known or not.
    func isSameKind(as other: CertificateExtension) -> Bool {
        if nid != other.nid { return false }
        if nid != NID_undef { return true }
        return OBJ_cmp(X509_EXTENSION_get_object(pointer), X509_EXTENSION_get_object(other.pointer)) == 0
    }

    /// Whether its value is what its kind wants; true for a kind that OpenSSL cannot decode.
    var isWellFormed: Bool {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        return clinchpin_X509V3_EXT_decodes(pointer) != 0
    }
}
