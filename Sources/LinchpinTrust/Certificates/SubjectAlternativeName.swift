internal import CLinchpin
internal import COpenSSL
internal import Foundation

/// A name that a certificate speaks for (RFC 5280 §4.2.1.6).
public enum SubjectAlternativeName: Hashable, Sendable {
    /// A DNS name, as the bytes stand in the certificate; bytes outside ASCII and NUL are shown as `\xNN`.
    case dns(String)
    /// An IP address in its usual spelling, or hexadecimal digits when it has no valid length.
    case ip(String)
    /// A mail address.
    case email(String)
    /// A URI.
    case uri(String)
    /// A kind of name that TLS servers do not use, by its number in RFC 5280.
    case other(Int)
}

extension SubjectAlternativeName: CustomStringConvertible {
    /// The name with its kind, such as `DNS:localhost`.
    public var description: String {
        switch self {
        case .dns(let name): "DNS:\(name)"
        case .ip(let address): "IP:\(address)"
        case .email(let address): "email:\(address)"
        case .uri(let uri): "URI:\(uri)"
        case .other(let kind): "other:\(kind)"
        }
    }
}

extension Certificate {
    /// The subject's alternative names in the certificate's order; empty when there are none.
    public var subjectAlternativeNames: [SubjectAlternativeName] {
        guard let raw = X509_get_ext_d2i(handle.pointer, NID_subject_alt_name, nil, nil) else { return [] }
        let names = OpaquePointer(raw)
        defer { GENERAL_NAMES_free(names) }
        return (0..<clinchpin_sk_GENERAL_NAME_num(names)).compactMap { index in
            guard let name = clinchpin_sk_GENERAL_NAME_value(names, index) else { return nil }
            return Self.read(name)
        }
    }

    private static func read(_ name: UnsafeMutablePointer<GENERAL_NAME>) -> SubjectAlternativeName {
        let kind = clinchpin_general_name_type(name)
        guard let string = clinchpin_general_name_string(name) else { return .other(Int(kind)) }
        let length = Int(ASN1_STRING_length(string))
        let bytes = UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: max(length, 0)).map { $0 }
        switch kind {
        case GEN_DNS: return .dns(visible(bytes))
        case GEN_IPADD: return .ip(IPAddress(octets: bytes)?.description ?? bytes.map(hexadecimal).joined())
        case GEN_EMAIL: return .email(visible(bytes))
        case GEN_URI: return .uri(visible(bytes))
        default: return .other(Int(kind))
        }
    }

    /// ASCII as it is, everything else as `\xNN`: a NUL can hide nothing.
    private static func visible(_ bytes: [UInt8]) -> String {
        bytes.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "\\x" + hexadecimal($0) }.joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String { String(format: "%02x", byte) }
}
