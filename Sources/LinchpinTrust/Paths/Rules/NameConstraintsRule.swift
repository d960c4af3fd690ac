internal import COpenSSL

/// What OpenSSL's name constraints leave out (RFC 5280 §4.2.1.10, CA/B BR §7.1.2.5.2).
///
/// A wildcard stands for every name below it: one that is excluded is enough to refuse. An IPv6 address that maps an
/// IPv4 address leads to that one: it is excluded with it, where OpenSSL compares addresses of one length only.
/// Constraints of a form that RFC
/// 5280 does not have are refused, since programs read them differently; private authorities may begin a DNS name with
/// a point, as OpenSSL lets them.
struct NameConstraintsRule: PathRule {
    let profile: ValidationProfile

    /// Comparisons of a name with a constraint, a path. Real paths stay below some thousands.
    static let mostComparisons = 250_000

    func verdict(on path: CandidatePath) -> RuleVerdict {
        guard path.links.contains(where: { $0.found(NID_name_constraints) != nil }) else { return .passed }
        if let leaf = path.issuedLeaf, leaf.found(NID_name_constraints) != nil, !leaf.isAuthority {
            return leaf.refused("it has name constraints, but is no authority's (RFC 5280 §4.2.1.10)")
        }
        var comparisons = 0
        for link in path.authorities where link.found(NID_name_constraints) != nil {
            guard let constraints = NameConstraints(of: link.certificate) else {
                return link.refused("its name constraints cannot be read")
            }
            if let fault = formFault(in: constraints) { return link.refused("its name constraints \(fault)") }
            for below in path.links[..<link.depth] where below.depth == 0 || !below.isSelfIssued {
                guard let names = names(of: below) else {
                    return below.refused("its alternative names are malformed, which no name constraint lets pass")
                }
                comparisons += (names.count + 1) * constraints.all.count
                guard comparisons <= Self.mostComparisons else {
                    return link.refused("the path has more names and name constraints than are compared")
                }
                if names.contains(where: { isExcludedWildcard($0, constraints) }) {
                    return below.refused("a wildcard stands for a name that an authority above may not issue for")
                }
                if names.contains(where: { isExcludedMapping($0, constraints) }) {
                    return below.refused("an IPv6 address maps one that an authority above may not issue for")
                }
            }
        }
        return .passed
    }

    /// Its alternative names; nil where one is malformed, so that it cannot be said to lie within the constraints.
    private func names(of link: CandidatePath.Link) -> [GeneralName]? {
        guard link.found(NID_subject_alt_name) != nil else { return [] }
        guard let names = GeneralName.alternativeNames(of: link.certificate),
            names.allSatisfy({ $0.fault(isLenient: true) == nil })
        else { return nil }
        return names
    }

    private func formFault(in constraints: NameConstraints) -> String? {
        guard constraints.permitted?.isEmpty != true, constraints.excluded?.isEmpty != true, !constraints.all.isEmpty
        else { return "are an empty list" }
        for name in constraints.all {
            switch name.kind {
            case GEN_DNS:
                if let fault = dnsFault(in: name.octets) { return "have a DNS name that \(fault)" }
            case GEN_IPADD:
                guard isAddressRange(name.octets) else { return "have an address range that is not one" }
            case GEN_EMAIL:
                guard name.octets.filter({ $0 == UInt8(ascii: "@") }).count <= 1 else {
                    return "have a mail address that is not one"
                }
            default: break
            }
        }
        return nil
    }

    /// An empty name stands for all; a point at its front is of URI constraints only.
    private func dnsFault(in name: [UInt8]) -> String? {
        if name.isEmpty { return nil }
        let isLenient = profile == .privatePKI
        if isLenient, name.first == UInt8(ascii: ".") { return DNSNameForm.hostFault(in: name[1...], isLenient: true) }
        return DNSNameForm.hostFault(in: name[...], isLenient: isLenient)
    }

    /// An address and a mask as in RFC 4632 §3.1: ones, then zeros.
    private func isAddressRange(_ octets: [UInt8]) -> Bool {
        guard octets.count == 8 || octets.count == 32 else { return false }
        let mask = octets[(octets.count / 2)...]
        let ones = mask.reduce(0) { $0 + $1.nonzeroBitCount }
        let leading = mask.prefix { $0 == 0xFF }.count * 8
        guard ones > leading else { return ones == leading }
        guard let partial = mask.dropFirst(leading / 8).first else { return false }
        return ones == leading + (~partial).leadingZeroBitCount
    }

    private func isExcludedWildcard(_ name: GeneralName, _ constraints: NameConstraints) -> Bool {
        guard name.isDNS, name.octets.starts(with: [UInt8(ascii: "*"), UInt8(ascii: ".")]) else { return false }
        let parent = Self.lowercased(name.octets[2...])
        return (constraints.excluded ?? []).contains { excluded in
            guard excluded.isDNS else { return false }
            let bytes = excluded.octets.first == UInt8(ascii: ".") ? excluded.octets[1...] : excluded.octets[...]
            let base = Self.lowercased(bytes)
            // OpenSSL has found those above the wildcard; the one label that it stands for is left.
            guard let point = base.firstIndex(of: UInt8(ascii: ".")) else { return false }
            return base[(point + 1)...].elementsEqual(parent)
        }
    }

    private func isExcludedMapping(_ name: GeneralName, _ constraints: NameConstraints) -> Bool {
        guard name.isAddress, name.octets.count == 16, let address = IPAddress(octets: name.octets)?.unmapped.octets,
            address.count == 4
        else { return false }
        return (constraints.excluded ?? []).contains { range in
            guard range.isAddress, range.octets.count == 8 else { return false }
            let (base, mask) = (range.octets.prefix(4), range.octets.suffix(4))
            return zip(zip(address, base), mask).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
        }
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
