internal import COpenSSL
internal import Foundation

/// What is in a PKCS #12 file (RFC 7292).
struct PKCS12Content {
    let certificate: Certificate
    let others: [Certificate]
    let key: KeyHandle

    /// - Throws: ``TrustError`` as ``ClientIdentity/init(pkcs12:password:)`` does.
    init(_ data: Data, password: String) throws(TrustError) {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        var consumed = 0
        let file = data.withUnsafeBytes { bytes -> OpaquePointer? in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            let start = cursor
            let file = d2i_PKCS12(nil, &cursor, bytes.count)
            if let cursor, let start { consumed = cursor - start }
            return file
        }
        guard let file else {
            throw TrustError(
                .malformedIdentity,
                reason: "the data is not PKCS #12, or is cut short: \(OpenSSLError.drainText())"
            )
        }
        defer { PKCS12_free(file) }
        guard consumed == data.count else {
            throw TrustError(.malformedIdentity, reason: "\(data.count - consumed) bytes follow the PKCS #12 data")
        }
        try Self.check(password, of: file)
        (certificate, others, key) = try Self.content(of: file, password)
    }

    /// An empty password may be there as none or as an empty one.
    private static func check(_ password: String, of file: OpaquePointer) throws(TrustError) {
        guard PKCS12_mac_present(file) == 1 else { return }
        let length = Int32(clamping: password.utf8.count)
        guard PKCS12_verify_mac(file, password, length) == 1 || (length == 0 && PKCS12_verify_mac(file, nil, 0) == 1)
        else {
            throw TrustError(.wrongPassword, reason: "the password is not that of the PKCS #12 data")
        }
    }

    private static func content(
        of file: OpaquePointer,
        _ password: String
    ) throws(TrustError) -> (Certificate, [Certificate], KeyHandle) {
        var (key, leaf, above): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
        guard PKCS12_parse(file, password, &key, &leaf, &above) == 1 else {
            throw TrustError(
                .malformedIdentity,
                reason:
                    "what is in the PKCS #12 data cannot be decrypted, by this password or by the algorithms of this "
                    + "OpenSSL: \(OpenSSLError.drainText())"
            )
        }
        let handle = key.map { KeyHandle(takingOwnership: $0) }
        let certificate = leaf.flatMap { Certificate(handle: X509Handle(takingOwnership: $0)) }
        let others = above.map { X509Stack(takingOwnership: $0).certificates } ?? []
        guard let handle else {
            throw TrustError(.noPrivateKeyFound, reason: "there is no private key in the PKCS #12 data")
        }
        guard let certificate else {
            throw others.isEmpty
                ? TrustError(.noCertificatesFound, reason: "there is no certificate in the PKCS #12 data")
                : TrustError(
                    .privateKeyMismatch,
                    reason: "the private key is that of none of the \(others.count) certificates in the PKCS #12 data"
                )
        }
        return (certificate, others, handle)
    }
}
