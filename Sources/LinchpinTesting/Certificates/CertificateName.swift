internal import CLinchpin
internal import COpenSSL
internal import LinchpinTrust

/// A name that a certificate is made for (RFC 5280 §4.2.1.6).
///
/// A string literal is an address if it reads as one, else a DNS name: `["localhost", "127.0.0.1"]`.
public enum CertificateName: Sendable, Hashable {
    /// A DNS name in ASCII, `*` included.
    case dns(String)
    /// An IPv4 or IPv6 address, without brackets.
    case ip(String)
    /// A mail address.
    case email(String)
    /// A URI.
    case uri(String)
    /// A DNS name of any bytes, such as one with a NUL in it.
    case rawDNS([UInt8])
    /// An address of any number of octets.
    case rawIP([UInt8])

    /// An address if the text reads as one, else a DNS name.
    public init(_ text: String) { self = IPAddress(text) == nil ? .dns(text) : .ip(text) }

    /// OpenSSL's kind of name and the bytes that go into the certificate.
    func encoded() throws(TestingError) -> (kind: Int32, bytes: [UInt8]) {
        switch self {
        case .dns(let name): return (GEN_DNS, try ascii(name))
        case .email(let address): return (GEN_EMAIL, try ascii(address))
        case .uri(let uri): return (GEN_URI, try ascii(uri))
        case .rawDNS(let bytes): return (GEN_DNS, bytes)
        case .rawIP(let octets): return (GEN_IPADD, octets)
        case .ip(let text):
            guard let address = IPAddress(text) else {
                throw TestingError(.malformedName, reason: "\"\(text)\" is not an IP address")
            }
            return (GEN_IPADD, address.octets)
        }
    }

    private func ascii(_ text: String) throws(TestingError) -> [UInt8] {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            throw TestingError(
                .malformedName,
                reason: "\"\(text)\" is empty or not printable ASCII; use an A-label (xn--…) or rawDNS"
            )
        }
        return Array(text.utf8)
    }
}

extension CertificateName: ExpressibleByStringLiteral {
    /// An address if the text reads as one, else a DNS name.
    public init(stringLiteral value: String) { self.init(value) }
}

extension CertificateName: CustomStringConvertible {
    /// The name as text; bytes outside printable ASCII as `\xNN`.
    public var description: String {
        switch self {
        case .dns(let text), .ip(let text), .email(let text), .uri(let text): text
        case .rawDNS(let bytes), .rawIP(let bytes): bytes.map(Self.visible).joined()
        }
    }

    private static func visible(_ byte: UInt8) -> String {
        if (0x20..<0x7F).contains(byte) { return String(UnicodeScalar(byte)) }
        let digits = String(byte, radix: 16)
        return "\\x" + (digits.count == 1 ? "0" : "") + digits
    }
}

extension [CertificateName] {
    /// What a server on this machine is called: `localhost`, `127.0.0.1` and `::1`.
    public static var loopback: [CertificateName] { [.dns("localhost"), .ip("127.0.0.1"), .ip("::1")] }
}
