internal import CLinchpin
internal import COpenSSL
internal import Foundation
internal import LinchpinTrust

/// Everything that goes into a certificate but the issuer.
struct CertificateRequest {
    /// The attributes of the subject's name, in order.
    var subject: [(nid: Int32, value: String)]
    var names: [CertificateName]
    var validity: Validity
    var profile: CertificateProfile
    var key: PrivateKey
    /// Whose timestamps are embedded.
    var logs: [LocalTransparencyLog] = []

    /// Who signs.
    struct Issuer {
        let certificate: Certificate
        let key: PrivateKey
    }

    /// The certificate, signed by `issuer`, or by its own key where there is none.
    func signed(by issuer: Issuer? = nil) throws(TestingError) -> Certificate {
        OpenSSLError.clear()
        guard let pointer = X509_new() else { throw Self.failure("no certificate") }
        let handle = X509Handle(takingOwnership: pointer)
        try fill(pointer)
        let issuing = try issuer.map { (issuer) throws(TestingError) in try X509Handle(copying: issuer.certificate) }
        defer { withExtendedLifetime(issuing) {} }
        let issuerPointer = issuing?.pointer ?? pointer
        guard X509_set_issuer_name(pointer, X509_get_subject_name(issuerPointer)) == 1 else {
            throw Self.failure("the issuer's name")
        }
        try addExtensions(to: pointer, issuer: issuerPointer, isSelfSigned: issuer == nil)
        try sign(pointer, with: issuer?.key ?? key)
        if !logs.isEmpty {
            try embedTimestamps(in: pointer, issuer: issuerPointer)
            try sign(pointer, with: issuer?.key ?? key)
        }
        guard let encoded = handle.encoded() else { throw Self.failure("the encoding") }
        do {
            // What is handed out was parsed from its own encoding: nothing of the making is left in it.
            return try Certificate(der: encoded)
        } catch {
            throw TestingError(.certificateUnusable, reason: error.reason)
        }
    }

    /// Version, serial number, subject, dates and key.
    private func fill(_ pointer: OpaquePointer) throws(TestingError) {
        try setSerialNumber(of: pointer)
        guard X509_set_version(pointer, profile.version - 1) == 1 else { throw Self.failure("the version") }
        guard ASN1_TIME_set(X509_getm_notBefore(pointer), time_t(validity.notBefore.timeIntervalSince1970)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(pointer), time_t(validity.notAfter.timeIntervalSince1970)) != nil
        else { throw Self.failure("the dates") }
        guard X509_set_pubkey(pointer, key.pointer) == 1 else { throw Self.failure("the public key") }
        for (nid, value) in profile.hasSubject ? subject : [] {
            let bytes = Array(value.utf8)
            let added = X509_NAME_add_entry_by_NID(
                X509_get_subject_name(pointer),
                nid,
                MBSTRING_UTF8,
                bytes,
                Int32(clamping: bytes.count),
                -1,
                0
            )
            guard added == 1 else {
                throw TestingError(
                    .malformedName,
                    reason: "\"\(value)\" cannot stand in a subject: \(OpenSSLError.drainText())"
                )
            }
        }
    }

    /// The profile's, or a random positive one.
    private func setSerialNumber(of pointer: OpaquePointer) throws(TestingError) {
        var number = BN_new()
        defer { BN_free(number) }
        let isSet = profile.serialNumber.map { BN_dec2bn(&number, $0) > 0 } ?? (BN_rand(number, 127, 0, 0) == 1)
        guard isSet, BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil else {
            throw Self.failure("the serial number")
        }
    }

    private func sign(_ pointer: OpaquePointer, with key: PrivateKey) throws(TestingError) {
        guard let context = EVP_MD_CTX_new() else { throw Self.failure("the signature") }
        defer { EVP_MD_CTX_free(context) }
        var parameters: OpaquePointer?
        guard EVP_DigestSignInit(context, &parameters, profile.digest.method(for: key), nil, key.pointer) == 1 else {
            throw Self.failure("the signature")
        }
        // TLS knows PSS only with a salt as long as the digest (RFC 8446 §4.2.3); OpenSSL's default is the longest.
        if key.isAlgorithm("RSA-PSS"), EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) != 1 {
            throw Self.failure("the signature")
        }
        guard X509_sign_ctx(pointer, context) > 0 else { throw Self.failure("the signature") }
    }

    static func failure(_ what: String) -> TestingError {
        TestingError(.certificateUnusable, reason: "OpenSSL failed on \(what): \(OpenSSLError.drainText())")
    }
}

extension X509Handle {
    /// A parsed copy of a certificate, for OpenSSL calls that want one.
    convenience init(copying certificate: Certificate) throws(TestingError) {
        OpenSSLError.clear()
        let pointer = certificate.der.withUnsafeBytes { bytes -> OpaquePointer? in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            return d2i_X509(nil, &cursor, bytes.count)
        }
        guard let pointer else { throw CertificateRequest.failure("the certificate \(certificate.subject)") }
        self.init(takingOwnership: pointer)
    }

    /// Lends the certificate to OpenSSL.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(self) { body(pointer) }
    }
}

extension PrivateKey {
    /// Whether the key is of the algorithm that OpenSSL calls so.
    func isAlgorithm(_ name: String) -> Bool { EVP_PKEY_is_a(pointer, name) == 1 }
}

extension CertificateProfile.Digest {
    /// OpenSSL's digest for a signature by `key`; nil where the algorithm has its own.
    fileprivate func method(for key: PrivateKey) -> OpaquePointer? {
        if key.isAlgorithm("ED25519") { return nil }
        switch self {
        case .automatic: return key.isAlgorithm("EC") ? Self.method(bits: EVP_PKEY_get_bits(key.pointer)) : EVP_sha256()
        case .sha1: return EVP_sha1()
        case .sha224: return EVP_sha224()
        case .sha256: return EVP_sha256()
        case .sha384: return EVP_sha384()
        case .sha512: return EVP_sha512()
        }
    }

    private static func method(bits: Int32) -> OpaquePointer? {
        switch bits {
        case ...256: EVP_sha256()
        case ...384: EVP_sha384()
        default: EVP_sha512()
        }
    }
}
