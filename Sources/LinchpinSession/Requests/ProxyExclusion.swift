internal import LinchpinTrust

/// Hosts that are reached without a proxy: one entry of `NO_PROXY`.
enum ProxyExclusion: Hashable, Sendable {
    case everything
    /// A host and the hosts below it, at one port or at any.
    case name(String, port: Int?)
    case address(IPAddress, port: Int?)
    /// Addresses that begin with the same bits.
    case network(IPAddress, bits: Int)

    /// Reads an entry; nil for what is none.
    init?(_ text: String) {
        if text == "*" {
            self = .everything
        } else if text.contains("/") {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let address = IPAddress(Self.withoutBrackets(parts[0])),
                parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bits = Int(parts[1]),
                bits <= address.octets.count * 8
            else { return nil }
            self = .network(address, bits: bits)
        } else {
            let (host, port) = Self.split(text)
            if host.isEmpty { return nil }
            if let port, !(1...65_535).contains(port) { return nil }
            let name = host.hasPrefix("*.") ? host.dropFirst(2) : host.hasPrefix(".") ? host.dropFirst() : host
            guard let identity = try? ReferenceIdentity(host: String(name)) else { return nil }
            switch identity {
            case .dns(let name): self = .name(name, port: port)
            case .ip(let address): self = .address(address, port: port)
            }
        }
    }

    /// Whether a host at a port is reached without a proxy.
    func matches(_ identity: ReferenceIdentity, port: Int) -> Bool {
        switch (self, identity) {
        case (.everything, _): true
        case (.name(let name, let only), .dns(let host)):
            (only ?? port) == port && (host == name || host.hasSuffix(".\(name)"))
        case (.address(let address, let only), .ip(let host)): (only ?? port) == port && address == host
        case (.network(let network, let bits), .ip(let host)): Self.haveSameStart(network.octets, host.octets, bits)
        default: false
        }
    }

    private static func haveSameStart(_ left: [UInt8], _ right: [UInt8], _ bits: Int) -> Bool {
        guard left.count == right.count else { return false }
        let (bytes, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard left[..<bytes] == right[..<bytes] else { return false }
        return rest == 0 || (left[bytes] ^ right[bytes]) >> (8 - rest) == 0
    }

    /// The host and the port after it; an IPv6 address has one only behind brackets.
    private static func split(_ text: String) -> (Substring, Int?) {
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        guard let colon = text.lastIndex(of: ":"), colons == 1 || text[..<colon].hasSuffix("]") else {
            return (text[...], nil)
        }
        return (text[..<colon], Int(text[text.index(after: colon)...]) ?? 0)
    }

    private static func withoutBrackets(_ text: Substring) -> String {
        text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : String(text)
    }
}
