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
    }
}
