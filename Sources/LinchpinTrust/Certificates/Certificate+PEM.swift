internal import CLinchpin
internal import COpenSSL
public import Foundation

extension Certificate {
    /// Reads one certificate from PEM text (RFC 7468).
    ///
    /// - Throws: ``TrustError`` with code `malformedCertificate` when there is none or more than one.
    public init(pem: String) throws(TrustError) {
        let all = try Certificate.certificates(pem: pem)
        guard all.count == 1, let first = all.first else {
            throw TrustError(
                .malformedCertificate,
                reason: "the PEM text holds \(all.count) certificates where one is wanted; use certificates(pem:)"
            )
        }
        self = first
    }

    /// Reads every certificate of a PEM text, in its order.
    ///
    /// Text around the blocks, CRLF line ends and a byte order mark are tolerated; keys between the certificates are
    /// passed over. Any block that is broken, or that holds certificates in another container, is an error.
    ///
    /// - Throws: ``TrustError`` with code `malformedCertificate` and the number of the block, counted from 1.
    public static func certificates(pem: String) throws(TrustError) -> [Certificate] {
        try certificates(pem: Data(pem.utf8))
    }

    /// Reads every certificate of PEM text given as bytes.
    ///
    /// - Throws: ``TrustError`` as ``certificates(pem:)-(String)`` does.
    public static func certificates(pem: Data) throws(TrustError) -> [Certificate] {
        let bytes = try normalized(pem)
        let announced = count(of: "-----BEGIN ", in: bytes)
        guard announced > 0 else {
            throw TrustError(
                .malformedCertificate,
                reason: "the text has no PEM block (`-----BEGIN CERTIFICATE-----`)"
            )
        }
        let blocks = try PEMBlock.blocks(of: bytes)
        guard blocks.count == announced else {
            throw TrustError(
                .malformedCertificate,
                reason: "PEM block \(blocks.count + 1) of \(announced) is broken: each block needs its BEGIN and END "
                    + "lines at the start of a line and nothing but Base64 between them"
            )
        }
        var certificates: [Certificate] = []
        for (index, block) in blocks.enumerated() {
            switch block.label {
            case "CERTIFICATE", "X509 CERTIFICATE":
                certificates.append(try parse(der: block.content, place: "PEM block \(index + 1)"))
            case let label
            where label.hasSuffix("PRIVATE KEY") || label.hasSuffix("PUBLIC KEY")
                || label.hasSuffix("PARAMETERS"):
                continue
            default:
                throw TrustError(
                    .malformedCertificate,
                    reason: "PEM block \(index + 1) is a \(block.label), which is not read; convert it to CERTIFICATE"
                )
            }
        }
        guard !certificates.isEmpty else {
            throw TrustError(
                .malformedCertificate,
                reason: "the PEM text holds no certificate, only "
                    + blocks.map(\.label).joined(separator: ", ")
            )
        }
        return certificates
    }

    /// Reads the certificates of a file, PEM or DER.
    ///
    /// - Throws: ``TrustError`` with code `unreadableFile` (path and errno's words) or `malformedCertificate`.
    public static func certificates(contentsOfFile path: String) throws(TrustError) -> [Certificate] {
        let data = try FileBytes.read(path)
        do {
            return data.first == 0x30 ? [try Certificate(der: data)] : try certificates(pem: data)
        } catch {
            throw TrustError(error.code, reason: "\(path): \(error.reason)")
        }
    }

    /// The certificate as a PEM block.
    public var pem: String {
        let base64 = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
    }

    /// Without a byte order mark, with line feeds only.
    private static func normalized(_ pem: Data) throws(TrustError) -> [UInt8] {
        var bytes = [UInt8](pem)
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw TrustError(.malformedCertificate, reason: "the text is UTF-16; save the PEM file as ASCII or UTF-8")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 1)
        for (index, byte) in bytes.enumerated() {
            if byte != 0x0D {
                result.append(byte)
            } else if index + 1 == bytes.count || bytes[index + 1] != 0x0A {
                result.append(0x0A)
            }
        }
        if result.last != 0x0A { result.append(0x0A) }
        return result
    }

    private static func count(of word: String, in bytes: [UInt8]) -> Int {
        let pattern = Array(word.utf8)
        guard bytes.count >= pattern.count else { return 0 }
        var found = 0
        for start in 0...(bytes.count - pattern.count) where bytes[start] == pattern[0] {
            if bytes[start..<(start + pattern.count)].elementsEqual(pattern) { found += 1 }
        }
        return found
    }
}
