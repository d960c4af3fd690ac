internal import COpenSSL
public import Foundation
public import LinchpinTrust

/// A log of certificates in memory (RFC 6962), to test clients that want their timestamps.
///
/// It signs whatever it is given and keeps nothing.
///
/// ```swift
/// let log = try LocalTransparencyLog()
/// let server = try authority.issue(["localhost"], loggedBy: [log])
/// let evaluator = try CertificateTransparencyTrustEvaluator(logs: [log.log], minimumLogs: 1)
/// ```
public final class LocalTransparencyLog: Sendable {
    /// What clients are given.
    public let log: TransparencyLog
    private let key: PrivateKey
    private let date: Date

    /// Makes a log with a new key.
    ///
    /// - Parameters:
    ///   - name: what people call it.
    ///   - date: the time of its timestamps, the present by default.
    /// - Throws: ``TestingError`` with code `keyUnusable`.
    public init(name: String = "Linchpin Test Log", date: Date = Date()) throws(TestingError) {
        key = try PrivateKey(.p256)
        self.date = date
        do {
            log = TransparencyLog(name: name, publicKey: try key.publicKey)
        } catch {
            throw TestingError(.keyUnusable, reason: error.reason)
        }
    }

    /// What a log's signature is over (RFC 6962 §3.2).
    enum Entry {
        /// A certificate as it is: for the TLS extension and OCSP.
        case certificate(Data)
        /// A certificate in which the timestamp will be: what is to be signed of it without that, and its issuer's key.
        case precertificate(toBeSigned: Data, issuerKeyHash: Data)
    }

    /// The timestamps of several logs for a certificate, as the TLS extension has them: a SignedCertificateTimestampList.
    ///
    /// - Throws: ``TestingError`` with code `certificateUnusable`.
    public static func timestampList(
        of logs: [LocalTransparencyLog],
        for certificate: Certificate
    ) throws(TestingError) -> Data {
        try withTimestamps(of: logs, entry: .certificate(certificate.der)) { list throws(TestingError) in
            var buffer: UnsafeMutablePointer<UInt8>?
            let length = i2o_SCT_LIST(list, &buffer)
            guard let bytes = Data(takingOpenSSL: buffer, length: Int(length)) else { throw failure() }
            return bytes
        }
    }

    /// Lends a `STACK_OF(SCT)`.
    static func withTimestamps<Result>(
        of logs: [LocalTransparencyLog],
        entry: Entry,
        _ body: (OpaquePointer) throws(TestingError) -> Result
    ) throws(TestingError) -> Result {
        OpenSSLError.clear()
        guard let list = OPENSSL_sk_new_null() else { throw failure() }
        defer { SCT_LIST_free(list) }
        for log in logs {
            let timestamp = try log.timestamp(entry)
            guard OPENSSL_sk_push(list, UnsafeRawPointer(timestamp)) > 0 else {
                SCT_free(timestamp)
                throw failure()
            }
        }
        return try body(list)
    }

    private func timestamp(_ entry: Entry) throws(TestingError) -> OpaquePointer {
        let milliseconds = UInt64(date.timeIntervalSince1970 * 1_000)
        let identifier = [UInt8](log.identifier)
        let signature = try sign(Self.signed(entry, milliseconds))
        guard let timestamp = SCT_new() else { throw Self.failure() }
        SCT_set_timestamp(timestamp, milliseconds)
        let type =
            switch entry {
            case .certificate: CT_LOG_ENTRY_TYPE_X509
            case .precertificate: CT_LOG_ENTRY_TYPE_PRECERT
            }
        guard SCT_set_version(timestamp, SCT_VERSION_V1) == 1, SCT_set_log_entry_type(timestamp, type) == 1,
            SCT_set1_log_id(timestamp, identifier, identifier.count) == 1,
            SCT_set_signature_nid(timestamp, NID_ecdsa_with_SHA256) == 1,
            SCT_set1_signature(timestamp, signature, signature.count) == 1
        else {
            SCT_free(timestamp)
            throw Self.failure()
        }
        return timestamp
    }

    /// The bytes under the signature; OpenSSL can read and verify timestamps, but not make them.
    private static func signed(_ entry: Entry, _ milliseconds: UInt64) -> Data {
        func number(_ value: UInt64, bytes: Int) -> Data {
            Data((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) })
        }
        // Version 1, certificate_timestamp.
        var data = Data([0, 0]) + number(milliseconds, bytes: 8)
        switch entry {
        case .certificate(let der):
            data += number(0, bytes: 2) + number(UInt64(der.count), bytes: 3) + der
        case .precertificate(let toBeSigned, let issuerKeyHash):
            data += number(1, bytes: 2) + issuerKeyHash + number(UInt64(toBeSigned.count), bytes: 3) + toBeSigned
        }
        // No extensions.
        return data + number(0, bytes: 2)
    }

    private func sign(_ data: Data) throws(TestingError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw Self.failure() }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 256)
        var length = signature.count
        let bytes = [UInt8](data)
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer) == 1,
            EVP_DigestSign(context, &signature, &length, bytes, bytes.count) == 1
        else { throw Self.failure() }
        return Array(signature.prefix(length))
    }

    private static func failure() -> TestingError {
        TestingError(.certificateUnusable, reason: "no timestamp could be made: \(OpenSSLError.drainText())")
    }
}
