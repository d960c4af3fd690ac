internal import CLinchpin
internal import COpenSSL
public import Foundation

/// An X.509 certificate, read once and never changed (RFC 5280).
///
/// Nothing about it is trusted because it could be read; see ``ServerTrust``.
public struct Certificate: Sendable {
    let handle: X509Handle
    /// The certificate's DER encoding, as it was signed.
    public let der: Data

    /// Reads one certificate from DER.
    ///
    /// - Throws: ``TrustError`` with code `malformedCertificate` when the bytes are not exactly one certificate.
    public init(der: Data) throws(TrustError) {
        self = try Self.parse(der: der, place: "the DER data")
    }

    /// Wraps a certificate that OpenSSL has parsed; nil when it cannot be encoded.
    package init?(handle: X509Handle) {
        guard let der = handle.encoded() else { return nil }
        self.handle = handle
        self.der = der
    }

    /// Reads one certificate; `place` says in the error where it came from.
    static func parse(der: Data, place: String) throws(TrustError) -> Certificate {
        OpenSSLError.clear()
        var consumed = 0
        let parsed = der.withUnsafeBytes { bytes -> OpaquePointer? in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            let start = cursor
            let pointer = d2i_X509(nil, &cursor, bytes.count)
            if let cursor, let start { consumed = cursor - start }
            return pointer
        }
        guard let parsed else {
            throw TrustError(
                .malformedCertificate,
                reason: "\(place) is not an X.509 certificate: \(OpenSSLError.drainText())"
            )
        }
        let handle = X509Handle(takingOwnership: parsed)
        guard consumed == der.count else {
            throw TrustError(
                .malformedCertificate,
                reason: "\(place) has \(der.count - consumed) bytes after the certificate"
            )
        }
        guard let certificate = Certificate(handle: handle), certificate.encodedPublicKey != nil else {
            throw TrustError(.malformedCertificate, reason: "\(place) holds a certificate without a public key")
        }
        return certificate
    }

    /// The subject's distinguished name in the form of RFC 2253, such as `CN=localhost,O=Example`.
    public var subject: String { Self.text(of: X509_get_subject_name(handle.pointer)) }

    /// The issuer's distinguished name in the form of RFC 2253.
    public var issuer: String { Self.text(of: X509_get_issuer_name(handle.pointer)) }

    /// Whether subject and issuer are the same name. The signature is not looked at.
    public var isSelfIssued: Bool {
        X509_NAME_cmp(X509_get_subject_name(handle.pointer), X509_get_issuer_name(handle.pointer)) == 0
    }

    /// Whether its own key signed it. A root that changed its key may name itself as its issuer and still be signed
    /// with the old key.
    var isSelfSigned: Bool {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        return X509_self_signed(handle.pointer, 1) == 1
    }

    /// The first moment of validity.
    public var notBefore: Date { Self.date(of: X509_get0_notBefore(handle.pointer)) ?? .distantFuture }

    /// The last second of validity.
    public var notAfter: Date { Self.date(of: X509_get0_notAfter(handle.pointer)) ?? .distantPast }

    /// SHA-256 of the whole certificate, as lower-case hexadecimal digits.
    ///
    /// It changes with every renewal; pin ``publicKeyPin`` to survive one.
    public var fingerprint: String { SHA256.digest(der).map { String(format: "%02x", $0) }.joined() }

    /// The public key with its algorithm (SubjectPublicKeyInfo).
    public var publicKey: PublicKey { PublicKey(verified: encodedPublicKey ?? Data()) }

    /// `sha256/` and the Base64 of the SHA-256 of ``publicKey`` (RFC 7469 §2.4).
    public var publicKeyPin: PublicKeyPin { PublicKeyPin(of: publicKey) }

    /// The SubjectPublicKeyInfo as the certificate holds it; nil when there is none.
    private var encodedPublicKey: Data? {
        var buffer: UnsafeMutablePointer<UInt8>?
        let length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(handle.pointer), &buffer)
        return Data(takingOpenSSL: buffer, length: Int(length))
    }

    private static func text(of name: OpaquePointer?) -> String {
        guard let name, let bio = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(bio) }
        guard X509_NAME_print_ex(bio, name, 0, clinchpin_name_flags_rfc2253_utf8()) >= 0 else { return "" }
        var buffer = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(bio)))
        let count = BIO_read(bio, &buffer, Int32(buffer.count))
        return visible(String(decoding: buffer.prefix(Int(max(count, 0))), as: UTF8.self))
    }

    /// OpenSSL escapes the control characters of ASCII. Others move a terminal's cursor as well (ECMA-48 §5.3), or turn
    /// the direction of text around; they are escaped as RFC 2253 §2.4 has it.
    private static func visible(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                result += String(scalar).utf8.map { String(format: "\\%02X", $0) }.joined()
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A time of OpenSSL's; nil for one that cannot be read.
    static func date(of time: UnsafePointer<ASN1_TIME>?) -> Date? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
    }
}

extension Certificate: Hashable {
    /// Whether both have the same DER encoding.
    public static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

    /// Hashes the DER encoding.
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension Certificate: CustomStringConvertible {
    /// Subject, issuer, validity and pin in one line.
    public var description: String {
        "\(subject) (issued by \(issuer), valid \(notBefore.rfc3339) to \(notAfter.rfc3339), \(publicKeyPin))"
    }
}
