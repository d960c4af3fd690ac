internal import CLinchpin
internal import COpenSSL
internal import LinchpinTrust

extension CertificateRequest {
    /// The extensions that RFC 5280 wants, so that the chain also passes OpenSSL's X509_V_FLAG_X509_STRICT.
    func addExtensions(to pointer: OpaquePointer, issuer: OpaquePointer, isSelfSigned: Bool) throws(TestingError) {
        try add(NID_basic_constraints, "critical," + basicConstraints, to: pointer, issuer: issuer)
        let usages = profile.keyUsages ?? usualKeyUsages
        if !usages.isEmpty {
            let words = usages.map(\.rawValue).joined(separator: ",")
            try add(NID_key_usage, "critical," + words, to: pointer, issuer: issuer)
        }
        if !profile.extendedKeyUsages.isEmpty {
            let words = profile.extendedKeyUsages.map(\.rawValue).joined(separator: ",")
            try add(NID_ext_key_usage, words, to: pointer, issuer: issuer)
        }
        try add(NID_subject_key_identifier, "hash", to: pointer, issuer: issuer)
        if !isSelfSigned { try add(NID_authority_key_identifier, "keyid:always", to: pointer, issuer: issuer) }
        let constraints =
            profile.permittedDNSSubtrees.map { "permitted;DNS:\($0)" }
            + profile.excludedDNSSubtrees.map { "excluded;DNS:\($0)" }
        if !constraints.isEmpty {
            let words = constraints.joined(separator: ",")
            try add(NID_name_constraints, "critical," + words, to: pointer, issuer: issuer)
        }
        try addNames(to: pointer)
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
        _ nid: Int32,
        _ words: String,
        to pointer: OpaquePointer,
        issuer: OpaquePointer
    ) throws(TestingError) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, pointer, nil, nil, 0)
        guard let added = X509V3_EXT_conf_nid(nil, &context, nid, words) else {
            throw Self.failure("the extension \(words)")
        }
        defer { X509_EXTENSION_free(added) }
        guard X509_add_ext(pointer, added, -1) == 1 else { throw Self.failure("the extension \(words)") }
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
