internal import Foundation

/// The host that a caller asked for, in the one form in which hosts are compared (RFC 9525 §2).
///
/// DNS names are lower-case A-labels without the trailing dot; addresses are octets. Two spellings of one host make
/// equal values.
package enum ReferenceIdentity: Hashable, Sendable {
    case dns(String)
    case ip(IPAddress)

    /// Reads a host as it stands in a URL or a policy; IPv6 with or without brackets.
    ///
    /// - Throws: ``TrustError`` with code `malformedHost`.
    package init(host: String) throws(TrustError) {
        if host.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: ":") }) {
            let inner = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
            guard inner.contains(":"), let address = IPAddress(inner) else {
                throw Self.malformed(
                    host,
                    "it is not an IPv6 address; schemes, ports and zones do not belong to a host"
                )
            }
            self = .ip(address)
            return
        }
        let name = try Self.canonicalName(host)
        let lastDot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        let lastLabel = name.utf8[(lastDot.map { name.utf8.index(after: $0) } ?? name.startIndex)...]
        let endsInNumber = lastLabel.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if endsInNumber, let address = IPAddress(name) {
            self = .ip(address)
        } else if endsInNumber || lastLabel.starts(with: "0x".utf8) {
            throw Self.malformed(host, "it ends in a number but is not a dotted-decimal IPv4 address")
        } else {
            self = .dns(name)
        }
    }

    /// The host that a connection goes to: an IPv4 address for the IPv6 address that maps it.
    ///
    /// For comparing hosts with each other only; names of certificates are compared as they are.
    var dialled: ReferenceIdentity {
        switch self {
        case .dns: self
        case .ip(let address): .ip(address.unmapped)
        }
    }

    /// Lower-case A-labels, one trailing dot removed, every label checked (RFC 1035 §2.3.1, with `_` allowed).
    static func canonicalName(_ host: String) throws(TrustError) -> String {
        guard !host.isEmpty else { throw malformed(host, "it is empty") }
        var name = host.utf8.allSatisfy({ $0 < 0x80 }) ? host : try asciiName(host)
        name = name.lowercased()
        if name.utf8.last == UInt8(ascii: ".") { name.removeLast() }
        guard name.utf8.count <= 253 else { throw malformed(host, "it is longer than 253 characters") }
        for label in name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard let first = label.first else { throw malformed(host, "it has an empty label") }
            guard label.count <= 63 else {
                throw malformed(host, "the label \"\(Substring(label))\" is longer than 63")
            }
            guard label.allSatisfy(isNameByte) else {
                throw malformed(host, "the label \"\(Substring(label))\" has a character that no host name has")
            }
            guard first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else {
                throw malformed(host, "the label \"\(Substring(label))\" begins or ends with a hyphen")
            }
        }
        return name
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The A-label form of an internationalised name (UTS 46, without its transitional mappings), by Foundation.
    ///
    /// Characters that separate the parts of a URL never reach its parser.
    private static func asciiName(_ host: String) throws(TrustError) -> String {
        var components = URLComponents()
        if host.utf8.allSatisfy({ $0 >= 0x80 || $0 == UInt8(ascii: ".") || isNameByte($0) }) { components.host = host }
        guard let name = components.encodedHost, name.utf8.allSatisfy({ $0 < 0x80 }), !name.contains("%") else {
            throw malformed(host, "it has no form as an internationalised domain name")
        }
        return name
    }

    private static func malformed(_ host: String, _ why: String) -> TrustError {
        TrustError(.malformedHost, reason: "\"\(host)\" is not a host: \(why)")
    }
}

extension ReferenceIdentity: CustomStringConvertible {
    /// The canonical spelling; IPv6 without brackets.
    package var description: String {
        switch self {
        case .dns(let name): name
        case .ip(let address): address.description
        }
    }
}
