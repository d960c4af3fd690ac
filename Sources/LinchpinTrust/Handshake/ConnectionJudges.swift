internal import CLinchpin
internal import COpenSSL

/// Who judges the handshakes of one connection, from inside OpenSSL: the server's, and that of an HTTPS proxy before it.
///
/// The `SSL_CTX` keeps it alive (PITFALLS P36: libcurl promises nothing about when a context goes), and the callback
/// reaches it through the same pointer.
package final class ConnectionJudges: Sendable {
    /// Of the server; nil for plain HTTP.
    package let server: HandshakeJudge?
    /// Of the HTTPS proxy; nil where there is none.
    package let proxy: HandshakeJudge?

    package init(server: HandshakeJudge?, proxy: HandshakeJudge?) {
        self.server = server
        self.proxy = proxy
    }

    /// The same judges, who have judged nothing yet.
    package func renewed() -> ConnectionJudges { ConnectionJudges(server: server?.renewed(), proxy: proxy?.renewed()) }

    /// Why the last handshake was refused, the proxy's or the server's; nil when none was.
    package var refusal: TrustError? { proxy?.refusal ?? server?.refusal }

    /// Makes these judges the only ones who decide about connections of the context.
    ///
    /// - Parameters:
    ///   - context: an `SSL_CTX *`, which retains them until it is freed.
    /// - Returns: false when OpenSSL refused; the connection must then not be made.
    package func install(onContext context: UnsafeMutableRawPointer) -> Bool {
        let context = OpaquePointer(context)
        guard ExDataIndexes.judges >= 0, ExDataIndexes.verdict >= 0 else { return false }
        let retained = Unmanaged.passRetained(self)
        // Released by ExDataIndexes.releaseObject when OpenSSL frees the context.
        guard SSL_CTX_set_ex_data(context, ExDataIndexes.judges, retained.toOpaque()) == 1 else {
            retained.release()
            return false
        }
        let settings = settings(forContext: context)
        if let settings, !settings.apply(toContext: UnsafeMutableRawPointer(context)) { return false }
        // libcurl writes every connection's keys to the file that SSLKEYLOGFILE names.
        SSL_CTX_set_keylog_callback(context, settings?.keyLog == nil ? nil : Self.secretMade)
        SSL_CTX_set_cert_cb(context, Self.identityWanted, retained.toOpaque())
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(context, Self.verify, retained.toOpaque())
        // Asks for timestamps and judges none: that is for evaluators.
        guard SSL_CTX_enable_ct(context, Int32(SSL_CT_VALIDATION_PERMISSIVE)) == 1 else { return false }
        return clinchpin_SSL_CTX_request_status(context, Self.flightEnded, retained.toOpaque()) == 1
    }

    /// OpenSSL's certificate verification, replaced (SSL_CTX_set_cert_verify_callback(3)).
    ///
    /// A refusal both sets an error and returns 0: with only one of them some versions of libcurl go on.
    private static let verify: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
        context,
        argument in
        guard let context, let argument else { return 0 }
        // Retained by the context's ex-data in install(onContext:).
        let judges = Unmanaged<ConnectionJudges>.fromOpaque(argument).takeUnretainedValue()
        let judge = judges.judge(ofStore: X509_STORE_CTX_get0_store(context))
        guard judge?.decide(context) == true else {
            X509_STORE_CTX_set_error(context, X509_V_ERR_APPLICATION_VERIFICATION)
            return 0
        }
        X509_STORE_CTX_set_error(context, X509_V_OK)
        return 1
    }

    /// How TLS is spoken with the host of the context's layer.
    ///
    /// The layer's mark comes into the context later, with the anchors. What tells layers apart here is the newest version:
    /// libcurl is told one for a proxy, and none for a server, which means the same (HandleShape.setTrust).
    private func settings(forContext context: OpaquePointer) -> TLSSettings? {
        guard let server, let proxy else { return (server ?? proxy)?.policy.tlsSettings }
        // SSL_CTX_get_max_proto_version(3), a macro.
        let newest = SSL_CTX_ctrl(context, SSL_CTRL_GET_MAX_PROTO_VERSION, 0, nil)
        return (newest == 0 ? server : proxy).policy.tlsSettings
    }

    /// A server asks for a certificate (SSL_CTX_set_cert_cb(3)): it gets one only after it was accepted.
    private static let identityWanted: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
        connection,
        argument in
        guard let connection, let argument, let context = SSL_get_SSL_CTX(connection) else { return 0 }
        // Retained by the context's ex-data in install(onContext:).
        let judges = Unmanaged<ConnectionJudges>.fromOpaque(argument).takeUnretainedValue()
        guard let judge = judges.judge(ofStore: SSL_CTX_get_cert_store(context)) else { return 0 }
        guard let identity = judge.policy.clientIdentity else { return 1 }
        guard judge.hasAccepted(connection) else { return 0 }
        return identity.use(inConnection: connection) ? 1 : 0
    }

    private static let secretMade: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Void = {
        connection,
        line in
        guard let connection, let line, let context = SSL_get_SSL_CTX(connection),
            let pointer = SSL_CTX_get_ex_data(context, ExDataIndexes.judges)
        else { return }
        // Retained by the context's ex-data in install(onContext:).
        let judges = Unmanaged<ConnectionJudges>.fromOpaque(pointer).takeUnretainedValue()
        judges.judge(ofStore: SSL_CTX_get_cert_store(context))?.policy.tlsSettings?.keyLog?.append(line)
    }

    /// The end of the server's first flight (SSL_CTX_set_tlsext_status_cb(3)): in TLS 1.2 the stapled response is there
    /// only now, and the client has not yet answered.
    private static let flightEnded: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
        connection,
        argument in
        guard let connection, let argument, let context = SSL_get_SSL_CTX(connection) else { return 0 }
        // Retained by the context's ex-data in install(onContext:).
        let judges = Unmanaged<ConnectionJudges>.fromOpaque(argument).takeUnretainedValue()
        return judges.judge(ofStore: SSL_CTX_get_cert_store(context))?.decideAtEndOfFlight(connection) == true ? 1 : 0
    }

    /// The judge of the layer that the handshake belongs to; nil, which refuses, where that is not certain.
    private func judge(ofStore store: OpaquePointer?) -> HandshakeJudge? {
        switch LayerMark.layer(ofStore: store) {
        case .server: server
        case .proxy: proxy
        case nil: nil
        }
    }
}
