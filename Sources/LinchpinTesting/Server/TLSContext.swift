internal import CLinchpin
internal import COpenSSL
internal import LinchpinTrust

/// The one owner of a server's `SSL_CTX`: versions, session cache, client authentication and the callbacks.
///
/// One context serves a server for its whole life, so that sessions can be resumed after its identity was replaced;
/// the identity is given to each connection.
final class TLSContext {
    private let pointer: OpaquePointer

    init(_ configuration: LocalTLSServer.Configuration) throws(TestingError) {
        OpenSSLError.clear()
        guard let pointer = SSL_CTX_new(TLS_server_method()) else { throw Self.failure("the context") }
        self.pointer = pointer
        // A server of tests also presents what no client should accept: small keys, SHA-1.
        SSL_CTX_set_security_level(pointer, 0)
        guard clinchpin_SSL_CTX_set_min_proto_version(pointer, configuration.minimumTLSVersion.number) == 1,
            clinchpin_SSL_CTX_set_max_proto_version(pointer, configuration.maximumTLSVersion.number) == 1
        else { throw Self.failure("the versions") }
        // The chain is sent as it was given; OpenSSL would fill an empty one up.
        _ = clinchpin_SSL_CTX_set_mode(
            pointer,
            Int(SSL_MODE_NO_AUTO_CHAIN) | Int(SSL_MODE_ENABLE_PARTIAL_WRITE)
                | Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER)
        )
        try configure(configuration.resumption)
        try configure(configuration.clientAuthentication)
        installCallbacks()
    }

    deinit { SSL_CTX_free(pointer) }

    /// A new `SSL` in the accepting state, for the caller to free; nil when OpenSSL fails.
    func makeConnection(socket: Int32, presenting identity: PresentedIdentity) -> OpaquePointer? {
        OpenSSLError.clear()
        guard let connection = SSL_new(pointer) else { return nil }
        guard identity.use(in: connection), SSL_set_fd(connection, socket) == 1 else {
            SSL_free(connection)
            return nil
        }
        SSL_set_accept_state(connection)
        return connection
    }

    private func configure(_ resumption: LocalTLSServer.Configuration.Resumption) throws(TestingError) {
        // Wanted by OpenSSL wherever client certificates and resumption meet; the server is the only one to see it.
        let scope = Array("linchpin".utf8)
        guard SSL_CTX_set_session_id_context(pointer, scope, UInt32(scope.count)) == 1 else {
            throw Self.failure("the session id context")
        }
        switch resumption {
        case .tickets:
            _ = clinchpin_SSL_CTX_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_OFF))
        case .sessionIDs:
            _ = clinchpin_SSL_CTX_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_SERVER))
            SSL_CTX_set_options(pointer, clinchpin_SSL_OP_NO_TICKET())
        case .none:
            _ = clinchpin_SSL_CTX_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_OFF))
            SSL_CTX_set_options(pointer, clinchpin_SSL_OP_NO_TICKET())
            guard SSL_CTX_set_num_tickets(pointer, 0) == 1 else { throw Self.failure("the tickets") }
        }
    }

    private func configure(_ authentication: LocalTLSServer.Configuration.ClientAuthentication) throws(TestingError) {
        let roots: [Certificate]
        switch authentication {
        case .none: return
        case .request(let given):
            roots = given
            SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        case .require(let given):
            roots = given
            SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        }
        for root in roots {
            let handle = try X509Handle(copying: root)
            let isAdded = handle.withPointer { certificate in
                X509_STORE_add_cert(SSL_CTX_get_cert_store(pointer), certificate) == 1
                    && SSL_CTX_add_client_CA(pointer, certificate) == 1
            }
            guard isAdded else { throw Self.failure("a root for clients") }
        }
    }

    /// No callback is given a pointer of ours: ALPN needs none, and the others find their stream through the
    /// connection (TLSStream.attached(to:)).
    private func installCallbacks() {
        SSL_CTX_set_client_hello_cb(
            pointer,
            { connection, _, _ in
                if let connection { TLSStream.attached(to: connection)?.helloArrived() }
                return SSL_CLIENT_HELLO_SUCCESS
            },
            nil
        )
        SSL_CTX_set_info_callback(pointer) { connection, event, value in
            guard let connection, event & SSL_CB_ALERT != 0, event & SSL_CB_READ != 0 else { return }
            TLSStream.attached(to: connection)?.alertArrived(value)
        }
        SSL_CTX_set_alpn_select_cb(
            pointer,
            { _, chosen, chosenLength, offered, offeredLength, _ in
                guard let chosen, let chosenLength, let offered else { return SSL_TLSEXT_ERR_NOACK }
                let names = UnsafeBufferPointer(start: offered, count: Int(offeredLength))
                var start = 0
                while start < names.count {
                    let name = names[(start + 1)...].prefix(Int(names[start]))
                    if name.elementsEqual("http/1.1".utf8) {
                        // OpenSSL copies the name out of its own list before that goes.
                        chosen.pointee = offered + start + 1
                        chosenLength.pointee = names[start]
                        return SSL_TLSEXT_ERR_OK
                    }
                    start += 1 + Int(names[start])
                }
                return SSL_TLSEXT_ERR_NOACK
            },
            nil
        )
    }

    private static func failure(_ what: String) -> TestingError {
        TestingError(.serverUnavailable, reason: "OpenSSL failed on \(what): \(OpenSSLError.drainText())")
    }
}

// Configured before anybody else sees it; OpenSSL locks the session cache and the reference count that
// connections use from then on.
extension TLSContext: @unchecked Sendable {}

extension LocalTLSServer.Configuration.TLSVersion {
    /// OpenSSL's number.
    fileprivate var number: Int32 {
        switch self {
        case .v1_0: TLS1_VERSION
        case .v1_1: TLS1_1_VERSION
        case .v1_2: TLS1_2_VERSION
        case .v1_3: TLS1_3_VERSION
        }
    }
}
