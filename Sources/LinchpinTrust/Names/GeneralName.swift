internal import CLinchpin
internal import COpenSSL

/// A name with its octets as they stand in a certificate (RFC 5280 §4.2.1.6).
struct GeneralName {
    /// OpenSSL's GEN_…, the tag number of the name.
    let kind: Int32
    /// Empty for kinds that are not strings.
    let octets: [UInt8]

    init(_ name: UnsafeMutablePointer<GENERAL_NAME>) {
        kind = clinchpin_general_name_type(name)
        guard let string = clinchpin_general_name_string(name) else {
            octets = []
            return
        }
        octets = Array(
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(max(ASN1_STRING_length(string), 0)))
        )
    }

    var isDNS: Bool { kind == GEN_DNS }
    var isAddress: Bool { kind == GEN_IPADD }

    /// What of the name is wrong; nil when it is well formed or of a kind that says nothing about servers.
    func fault(isLenient: Bool) -> String? {
        switch kind {
        case GEN_DNS: DNSNameForm.fault(in: octets, isLenient: isLenient)
        case GEN_IPADD: octets.count == 4 || octets.count == 16 ? nil : "is no IPv4 or IPv6 address"
        case GEN_EMAIL, GEN_URI: octets.allSatisfy { (0x21..<0x7F).contains($0) } ? nil : "is not printable ASCII"
        default: nil
        }
    }

    /// The subject's alternative names of a certificate that has the extension; nil when it cannot be read.
    static func alternativeNames(of certificate: Certificate) -> [GeneralName]? {
        guard let raw = X509_get_ext_d2i(certificate.handle.pointer, NID_subject_alt_name, nil, nil) else { return nil }
        let names = OpaquePointer(raw)
        defer { GENERAL_NAMES_free(names) }
        var result: [GeneralName] = []
        for index in 0..<clinchpin_sk_GENERAL_NAME_num(names) {
            guard let name = clinchpin_sk_GENERAL_NAME_value(names, index) else { return nil }
            result.append(GeneralName(name))
        }
        return result
    }
}
