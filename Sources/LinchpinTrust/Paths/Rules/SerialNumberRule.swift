internal import COpenSSL

/// RFC 5280 §4.1.2.2: a serial number is positive and has at most 20 octets.
///
/// Roots are passed over: some old ones, still in the systems' bundles, have the number 0.
struct SerialNumberRule: PathRule {
    private static let mostOctets = 20

    func verdict(on path: CandidatePath) -> RuleVerdict {
        for link in path.links where !link.isAnchor || link.depth == 0 {
            if let fault = fault(of: link.pointer) { return link.refused(fault) }
        }
        return .passed
    }

    private func fault(of certificate: OpaquePointer) -> String? {
        guard let number = X509_get0_serialNumber(certificate), let bytes = ASN1_STRING_get0_data(number) else {
            return "it has no serial number"
        }
        let octets = UnsafeBufferPointer(start: bytes, count: Int(max(ASN1_STRING_length(number), 0)))
        guard ASN1_STRING_type(number) != V_ASN1_NEG_INTEGER else {
            return "its serial number is negative"
        }
        guard octets.contains(where: { $0 != 0 }) else { return "its serial number is 0" }
        // DER puts a zero octet before a number whose first bit is set.
        let padding = (octets.first ?? 0) & 0x80 == 0 ? 0 : 1
        guard octets.count + padding <= Self.mostOctets else {
            return "its serial number is longer than \(Self.mostOctets) octets"
        }
        return nil
    }
}
