internal import Glibc

/// An IPv4 or IPv6 address as its 4 or 16 octets, so that every spelling of it is equal.
package struct IPAddress: Hashable, Sendable {
    package let octets: [UInt8]

    /// An address from its octets; nil unless there are 4 or 16.
    package init?(octets: [UInt8]) {
        guard octets.count == 4 || octets.count == 16 else { return nil }
        self.octets = octets
    }

    /// Reads dotted-decimal IPv4, or IPv6 without brackets and without a zone; nil for anything else.
    package init?(_ text: String) {
        // C would read the text up to the NUL.
        guard !text.utf8.contains(0) else { return nil }
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            octets = withUnsafeBytes(of: &v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            octets = withUnsafeBytes(of: &v6) { Array($0) }
        } else {
            return nil
        }
    }

    /// Reads IPv4 as inet_aton(3) does: in up to four numbers, decimal, octal or hexadecimal.
    init?(anyIPv4 text: String) {
        var address = in_addr()
        guard !text.utf8.contains(0), inet_aton(text, &address) != 0 else { return nil }
        octets = withUnsafeBytes(of: &address) { Array($0) }
    }

    /// The IPv4 address for an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2), to which the system connects over IPv4;
    /// any other address as it is.
    var unmapped: IPAddress {
        let prefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        guard octets.count == 16, octets.starts(with: prefix) else { return self }
        return IPAddress(octets: Array(octets[prefix.count...])) ?? self
    }
}

extension IPAddress: CustomStringConvertible {
    /// The canonical spelling (RFC 5952 for IPv6), without brackets.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = octets.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, octets, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
