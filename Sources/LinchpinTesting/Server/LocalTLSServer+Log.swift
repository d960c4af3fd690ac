public import Foundation
public import LinchpinTrust

extension LocalTLSServer {
    /// What a server has seen so far.
    public struct Log: Sendable {
        /// TLS handshakes that ended, well or not, in the order of their end.
        public internal(set) var handshakes: [Handshake] = []
        /// Requests that were read whole, body included, in that order.
        public internal(set) var requests: [Request] = []
        /// How many requests were read whole.
        public internal(set) var requestCount = 0
        /// How many handshakes ended, well or not.
        public internal(set) var handshakeCount = 0
        /// How many bytes of HTTP reached the server, decrypted, whatever became of them.
        public internal(set) var bytesReceived = 0
        /// The first of those bytes, at most a mebibyte, of all connections as they came.
        public internal(set) var rawBytes = Data()
        /// How many connections were accepted.
        public internal(set) var connections = 0
        /// How many of them are open.
        public internal(set) var openConnections = 0
    }

    /// A TLS handshake that ended.
    public struct Handshake: Sendable {
        /// The number of its connection, as in ``Request/connection``.
        public let number: Int
        /// The name that the client asked for (SNI).
        public let serverName: String?
        /// The version in OpenSSL's words, such as `TLSv1.3`.
        public let version: String
        /// The protocol that ALPN chose; nil when the client offered none that the server speaks.
        public let applicationProtocol: String?
        /// Whether an earlier session was resumed.
        public let isResumed: Bool
        /// Whether it succeeded.
        public let completed: Bool
        /// Why it failed, in OpenSSL's words.
        public let failure: String?
        /// The client's alert in OpenSSL's words, such as `bad certificate`; it may come after completion.
        public internal(set) var alertReceived: String?
        /// What the client showed.
        public let clientCertificate: Certificate?
    }
}
