internal import CLinchpin
internal import COpenSSL
internal import Foundation

/// What a server sends beside its chain to vouch for it.
struct HandshakeEvidence: Sendable {
    /// An OCSP response that the server fetched itself (RFC 6066 §8).
    enum Staple: Sendable, Hashable {
        case response(Data)
        /// The server had its chance and sent none.
        case absent
        /// It arrives after the chain, in the same flight: TLS 1.2 has a message of its own for it.
        case pending
        /// Nobody had a chance to send one: off-line, or where a TLS session is resumed.
        case unavailable
    }

    var staple = Staple.unavailable
    /// The timestamps of the handshake's extension (RFC 6962 §3.3), a SignedCertificateTimestampList.
    var timestamps: Data?

    init(staple: Staple = .unavailable) { self.staple = staple }

    /// What a connection has when its chain is verified.
    init(duringVerificationOf connection: OpaquePointer) {
        self.init(atEndOfFlightOf: connection)
        if staple == .absent, SSL_version(connection) < TLS1_3_VERSION { staple = .pending }
    }

    /// What a connection has when the server's first flight is complete.
    init(atEndOfFlightOf connection: OpaquePointer) {
        var bytes: UnsafePointer<UInt8>?
        let length = clinchpin_SSL_stapled_response(connection, &bytes)
        staple = bytes.flatMap { length > 0 ? .response(Data(bytes: $0, count: length)) : nil } ?? .absent
        timestamps = Self.timestamps(of: connection)
    }

    /// Those of the extension alone: OpenSSL also lists those that are elsewhere, as soon as it knows the certificate.
    private static func timestamps(of connection: OpaquePointer) -> Data? {
        defer { OpenSSLError.clear() }
        guard let all = SSL_get0_peer_scts(connection), let sent = OPENSSL_sk_new_null() else { return nil }
        // The connection keeps the timestamps themselves.
        defer { OPENSSL_sk_free(sent) }
        for index in 0..<OPENSSL_sk_num(all) {
            let timestamp = OPENSSL_sk_value(all, index)
            guard SCT_get_source(OpaquePointer(timestamp)) == SCT_SOURCE_TLS_EXTENSION else { continue }
            guard OPENSSL_sk_push(sent, timestamp) > 0 else { return nil }
        }
        var buffer: UnsafeMutablePointer<UInt8>?
        let length = OPENSSL_sk_num(sent) == 0 ? 0 : i2o_SCT_LIST(sent, &buffer)
        return Data(takingOpenSSL: buffer, length: Int(length))
    }
}
