internal import CLinchpin
internal import COpenSSL
internal import Foundation

/// The one owner of a list of signed certificate timestamps (RFC 6962 §3.2).
struct SignedTimestamps: ~Copyable {
    private let pointer: OpaquePointer

    private init(takingOwnership pointer: OpaquePointer) { self.pointer = pointer }

    deinit { SCT_LIST_free(pointer) }

    /// Those that are part of a certificate; nil for none, or a list that cannot be read.
    init?(embeddedIn certificate: Certificate) {
        guard let list = X509_get_ext_d2i(certificate.handle.pointer, NID_ct_precert_scts, nil, nil) else { return nil }
        self.init(takingOwnership: OpaquePointer(list))
    }

    /// Those of a TLS handshake's extension, as ``HandshakeEvidence`` has them.
    init?(ofExtension bytes: Data) {
        let list = bytes.withUnsafeBytes { bytes -> OpaquePointer? in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            return o2i_SCT_LIST(nil, &cursor, bytes.count)
        }
        guard let list else { return nil }
        self.init(takingOwnership: list)
        for index in 0..<OPENSSL_sk_num(list) {
            _ = SCT_set_source(OpaquePointer(OPENSSL_sk_value(list, index)), SCT_SOURCE_TLS_EXTENSION)
        }
    }

    /// Those that an OCSP response has; nobody's word but the logs' counts for them.
    init?(inStatement statement: OpaquePointer) {
        guard let list = OCSP_SINGLERESP_get1_ext_d2i(statement, NID_ct_cert_scts, nil, nil) else { return nil }
        self.init(takingOwnership: OpaquePointer(list))
    }

    /// The logs whose signature over the certificate is right.
    ///
    /// - Returns: their identifiers.
    func logs(
        vouchingFor subject: IssuedCertificate,
        among store: TransparencyLogStore,
        at date: Date
    ) -> Set<Data> {
        defer { OpenSSLError.clear() }
        guard let context = CT_POLICY_EVAL_CTX_new() else { return [] }
        defer { CT_POLICY_EVAL_CTX_free(context) }
        guard let milliseconds = UInt64(exactly: ((date.timeIntervalSince1970 + Self.skew) * 1_000).rounded(.down)),
            CT_POLICY_EVAL_CTX_set1_cert(context, subject.certificate.handle.pointer) == 1,
            CT_POLICY_EVAL_CTX_set1_issuer(context, subject.issuer.handle.pointer) == 1
        else { return [] }
        CT_POLICY_EVAL_CTX_set_shared_CTLOG_STORE(context, store.pointer)
        CT_POLICY_EVAL_CTX_set_time(context, milliseconds)
        var logs: Set<Data> = []
        for index in 0..<OPENSSL_sk_num(pointer) {
            let timestamp = OpaquePointer(OPENSSL_sk_value(pointer, index))
            // What it returns is not enough: an unknown log is no failure of its own.
            guard SCT_validate(timestamp, context) == 1,
                SCT_get_validation_status(timestamp) == SCT_VALIDATION_STATUS_VALID
            else { continue }
            var identifier: UnsafeMutablePointer<UInt8>?
            let length = SCT_get0_log_id(timestamp, &identifier)
            if let identifier { logs.insert(Data(bytes: identifier, count: length)) }
        }
        return logs
    }

    /// How far a log's clock may be ahead, in seconds.
    private static let skew: TimeInterval = 300
}
