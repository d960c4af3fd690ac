internal import CLinchpin
internal import COpenSSL
internal import Foundation
internal import LinchpinTrust

extension CertificateRequest {
    /// The extensions that RFC 5280 wants, so that the chain also passes OpenSSL's X509_V_FLAG_X509_STRICT.
    func addExtensions(to pointer: OpaquePointer, issuer: OpaquePointer, isSelfSigned: Bool) throws(TestingError) {
        for (name, value) in usualExtensions(namesIssuer: !isSelfSigned && X509_get0_subject_key_id(issuer) != nil) {
            let value = profile.replacedExtensions[name] ?? value
            if !value.isEmpty { try add(name, value, to: pointer, issuer: issuer) }
        }
        if let names = profile.replacedExtensions["subjectAltName"] {
            if !names.isEmpty { try add("subjectAltName", names, to: pointer, issuer: issuer) }
        } else {
            try addNames(to: pointer)
        }
        for custom in profile.additionalExtensions {
            try add(custom.name, custom.value, to: pointer, issuer: issuer)
        }
    }

    /// Adds the logs' timestamps to a certificate that was signed without them: that, but for its signature, is what
    /// they are over (RFC 6962 §3.2).
    func embedTimestamps(in pointer: OpaquePointer, issuer: OpaquePointer) throws(TestingError) {
        var buffer: UnsafeMutablePointer<UInt8>?
        let length = i2d_re_X509_tbs(pointer, &buffer)
        var keyBuffer: UnsafeMutablePointer<UInt8>?
        let keyLength = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(issuer), &keyBuffer)
        guard let toBeSigned = Data(takingOpenSSL: buffer, length: Int(length)),
            let issuerKey = Data(takingOpenSSL: keyBuffer, length: Int(keyLength))
        else { throw Self.failure("the timestamps") }
        let issuerKeyHash: Data
        do {
            issuerKeyHash = PublicKeyPin(of: try PublicKey(der: issuerKey)).digest
        } catch {
            throw Self.failure("the issuer's key")
        }
        try LocalTransparencyLog.withTimestamps(
            of: logs,
            entry: .precertificate(toBeSigned: toBeSigned, issuerKeyHash: issuerKeyHash)
        ) { list throws(TestingError) in
            let raw = UnsafeMutableRawPointer(list)
            guard X509_add1_ext_i2d(pointer, NID_ct_precert_scts, raw, 0, 0) == 1 else {
                throw Self.failure("the timestamps")
            }
        }
    }

    /// Empty values for those that are left out.
    private func usualExtensions(namesIssuer: Bool) -> [(name: String, value: String)] {
        let usages = profile.keyUsages ?? usualKeyUsages
        let constraints =
            profile.permittedDNSSubtrees.map { "permitted;DNS:\($0)" }
            + profile.excludedDNSSubtrees.map { "excluded;DNS:\($0)" }
        return [
            ("basicConstraints", "critical," + basicConstraints),
            ("keyUsage", usages.isEmpty ? "" : "critical," + usages.map(\.rawValue).joined(separator: ",")),
            ("extendedKeyUsage", profile.extendedKeyUsages.map(\.rawValue).joined(separator: ",")),
            ("subjectKeyIdentifier", "hash"),
            ("authorityKeyIdentifier", namesIssuer ? "keyid:always" : ""),
            ("nameConstraints", constraints.isEmpty ? "" : "critical," + constraints.joined(separator: ",")),
        ]
    }

    private var basicConstraints: String {
        guard profile.isCA else { return "CA:FALSE" }
        return "CA:TRUE" + (profile.pathLength.map { ",pathlen:\($0)" } ?? "")
    }

    private var usualKeyUsages: [CertificateProfile.KeyUsage] {
        if profile.isCA { return [.keyCertSign, .cRLSign] }
        return key.isAlgorithm("RSA") ? [.digitalSignature, .keyEncipherment] : [.digitalSignature]
    }

    /// An extension in the words of x509v3_config(5).
    private func add(
        _ name: String,
        _ value: String,
        to pointer: OpaquePointer,
        issuer: OpaquePointer
    ) throws(TestingError) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, pointer, nil, nil, 0)
        // Some kinds ask for sections of a configuration even where their words name none.
        guard let configuration = NCONF_new(nil) else { throw Self.failure("the extension \(name)=\(value)") }
        defer { NCONF_free(configuration) }
        X509V3_set_nconf(&context, configuration)
        guard let added = X509V3_EXT_nconf(nil, &context, name, value) else {
            throw Self.failure("the extension \(name)=\(value)")
        }
        defer { X509_EXTENSION_free(added) }
        guard X509_add_ext(pointer, added, -1) == 1 else { throw Self.failure("the extension \(name)=\(value)") }
    }

    /// The subject's alternative names, byte by byte as they were given; critical where the subject is empty.
    private func addNames(to pointer: OpaquePointer) throws(TestingError) {
        guard !names.isEmpty else { return }
        guard let list = GENERAL_NAMES_new() else { throw Self.failure("the names") }
        defer { GENERAL_NAMES_free(list) }
        for name in names {
            let entry = try Self.entry(for: name)
            guard clinchpin_sk_GENERAL_NAME_push(list, entry) > 0 else {
                GENERAL_NAME_free(entry)
                throw Self.failure("the name \(name)")
            }
        }
        let isCritical: Int32 = subject.isEmpty ? 1 : 0
        let raw = UnsafeMutableRawPointer(list)
        guard X509_add1_ext_i2d(pointer, NID_subject_alt_name, raw, isCritical, 0) == 1 else {
            throw Self.failure("the names")
        }
    }

    private static func entry(for name: CertificateName) throws(TestingError) -> UnsafeMutablePointer<GENERAL_NAME> {
        let (kind, bytes) = try name.encoded()
        guard let entry = GENERAL_NAME_new(),
            let value = ASN1_STRING_type_new(kind == GEN_IPADD ? V_ASN1_OCTET_STRING : V_ASN1_IA5STRING)
        else { throw failure("the name \(name)") }
        guard ASN1_STRING_set(value, bytes, Int32(clamping: bytes.count)) == 1 else {
            ASN1_STRING_free(value)
            GENERAL_NAME_free(entry)
            throw failure("the name \(name)")
        }
        // The entry takes over the string.
        GENERAL_NAME_set0_value(entry, kind, value)
        return entry
    }
}
