public import Foundation
public import LinchpinTrust

extension LocalTLSServer {
    /// How a server listens and what it agrees to.
    public struct Configuration: Sendable {
        /// The address that it listens on.
        public enum Address: Sendable, Hashable {
            /// 127.0.0.1
            case ipv4
            /// ::1
            case ipv6
        }

        /// What a client has to speak.
        public enum Security: Sendable, Hashable {
            case tls
            /// Plain HTTP.
            case plain
        }

        /// A version of TLS.
        public enum TLSVersion: Sendable, Hashable, Comparable {
            /// Broken; for tests that a client refuses it.
            case v1_0
            /// Broken; for tests that a client refuses it.
            case v1_1
            case v1_2
            case v1_3
        }

        /// How clients may resume TLS sessions.
        public enum Resumption: Sendable, Hashable {
            /// By tickets that hold the session (RFC 5077, RFC 8446 §2.2).
            case tickets
            /// By identifiers of sessions that the server keeps; in TLS 1.3 by tickets that hold no more than one.
            case sessionIDs
            /// Not at all.
            case none
        }

        /// Whether clients have to show a certificate.
        public enum ClientAuthentication: Sendable {
            case none
            /// Asked for; a client without one is let in, one that does not lead to the roots is not.
            case request(roots: [Certificate])
            /// Demanded.
            case require(roots: [Certificate])
        }

        /// What goes wrong with every connection before any HTTP.
        public enum ConnectionFault: Sendable, Hashable {
            /// Accept and never say anything.
            case holdHandshake
            /// Accept, and close at the client's first bytes.
            case close
            /// Accept, and close with a TCP reset at the client's first bytes.
            case reset
            /// Accept, send these bytes and close.
            case raw(Data)
        }

        /// What is done with `Expect: 100-continue`.
        public enum Expectation: Sendable, Hashable {
            /// Answer 100 and read the body.
            case `continue`
            /// Say nothing and wait for the body.
            case ignore
            /// Call the handler without the body and close after its answer, as a server does that answers 417 or 401.
            case handle
        }

        /// What the log keeps.
        public enum Recording: Sendable, Hashable {
            /// Every request with its body, every handshake and the first bytes.
            case everything
            /// Numbers only, for servers that run long.
            case counts
        }

        /// The address that it listens on.
        public var address: Address
        /// What a client has to speak.
        public var security: Security
        /// The oldest version of TLS that is spoken.
        public var minimumTLSVersion: TLSVersion
        /// The newest.
        public var maximumTLSVersion: TLSVersion
        /// How clients may resume TLS sessions.
        public var resumption: Resumption
        /// Whether clients have to show a certificate.
        public var clientAuthentication: ClientAuthentication
        /// What goes wrong with every connection; see also ``LocalTLSServer/setConnectionFault(_:)``.
        public var connectionFault: ConnectionFault?
        /// What is done with `Expect: 100-continue`.
        public var expectation: Expectation
        /// What the log keeps.
        public var recording: Recording
        /// The largest body that is read; a larger one is answered with 413.
        public var maximumBodySize = 64 << 20

        /// TLS 1.2 and 1.3 with tickets on 127.0.0.1, but for what is said.
        public init(
            address: Address = .ipv4,
            security: Security = .tls,
            minimumTLSVersion: TLSVersion = .v1_2,
            maximumTLSVersion: TLSVersion = .v1_3,
            resumption: Resumption = .tickets,
            clientAuthentication: ClientAuthentication = .none,
            connectionFault: ConnectionFault? = nil,
            expectation: Expectation = .continue,
            recording: Recording = .everything
        ) {
            self.address = address
            self.security = security
            self.minimumTLSVersion = minimumTLSVersion
            self.maximumTLSVersion = maximumTLSVersion
            self.resumption = resumption
            self.clientAuthentication = clientAuthentication
            self.connectionFault = connectionFault
            self.expectation = expectation
            self.recording = recording
        }
    }
}
