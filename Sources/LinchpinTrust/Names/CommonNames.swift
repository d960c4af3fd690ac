internal import COpenSSL
internal import Foundation

/// CA/B BR §7.1.4.3: a common name that is a host is a copy, character for character, of an alternative name.
///
/// The common name never makes a host match. It misleads people and older programs where it names a host that the
/// certificate is not for. Three departures from the letter: a parent of an alternative name is let through, since
/// issuers write the bare domain beside `*.`; so is a name that a wildcard stands for; and a machine's name where all
/// alternative names are addresses.
enum CommonNames {
    static func areCovered(of leaf: Certificate, by names: [GeneralName]) -> Bool {
        texts(of: leaf.handle.pointer).allSatisfy { text in
            // Spaces around a name do not count (RFC 4518 §2.6.1), and a NUL is in nobody's.
            let name = text.trimmingCharacters(in: .whitespaces)
            return name.isEmpty || !name.utf8.contains(0) && isCovered(name, by: names)
        }
    }

    private static func isCovered(_ commonName: String, by names: [GeneralName]) -> Bool {
        let addresses = names.filter(\.isAddress).compactMap { IPAddress(octets: $0.octets) }
        if looksLikeAddress(commonName, beside: addresses) {
            return addresses.contains { $0.description == commonName }
        }
        let hosts = names.filter(\.isDNS)
        guard !hosts.isEmpty, looksLikeHost(commonName) else { return true }
        let bytes = Array(commonName.utf8)
        let suffix = [UInt8(ascii: ".")] + bytes
        let wildcard = [UInt8(ascii: "*")] + bytes.drop { $0 != UInt8(ascii: ".") }
        return hosts.contains { host in
            host.octets == bytes || host.octets == wildcard || host.octets.suffix(suffix.count).elementsEqual(suffix)
        }
    }

    /// Whether it is an address in any spelling that a resolver takes, such as `0x7F000001` or `010.0.0.1`.
    ///
    /// A number without points is more often a serial number than an address. It is one where it is another spelling
    /// of an address that the certificate is for.
    private static func looksLikeAddress(_ text: String, beside addresses: [IPAddress]) -> Bool {
        if IPAddress(text) != nil { return true }
        // inet_aton(3) reads no farther than the first space.
        guard text.utf8.allSatisfy(isOfNumber), let address = IPAddress(anyIPv4: text) else { return false }
        return text.contains(".") || addresses.contains(address)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Whether it has several labels and nothing that no host has; letters of any alphabet count.
    private static func looksLikeHost(_ text: String) -> Bool {
        text.contains(".")
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...,
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "*"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    private static func texts(of certificate: OpaquePointer) -> [String] {
        guard let subject = X509_get_subject_name(certificate) else { return [] }
        var names: [String] = []
        var index = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        while index >= 0 {
            var bytes: UnsafeMutablePointer<UInt8>?
            let value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index))
            let length = ASN1_STRING_to_UTF8(&bytes, value)
            names.append(String(decoding: Data(takingOpenSSL: bytes, length: Int(length)) ?? Data(), as: UTF8.self))
            index = X509_NAME_get_index_by_NID(subject, NID_commonName, index)
        }
        return names
    }
}
