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
        let blocks: [PEMBlock]
        do {
            blocks = try PEMBlock.blocks(of: pem)
        } catch {
            throw TrustError(.malformedCertificate, reason: error.reason)
        }
        guard !blocks.isEmpty else {
            throw TrustError(
                .malformedCertificate,
                reason: "the text has no PEM block (`-----BEGIN CERTIFICATE-----`)"
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
            return isDER(data) ? [try Certificate(der: data)] : try certificates(pem: data)
        } catch {
            throw TrustError(error.code, reason: "\(path): \(error.reason)")
        }
    }

    /// Whether the bytes begin as a certificate does, and have no PEM block: a text may begin with the same byte, `0`.
    private static func isDER(_ data: Data) -> Bool {
        data.first == 0x30 && data.range(of: Data("-----BEGIN ".utf8)) == nil
    }

    /// The certificate as a PEM block.
    public var pem: String {
        let base64 = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
    }
}
