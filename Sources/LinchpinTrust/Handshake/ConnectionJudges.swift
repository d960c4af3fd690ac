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
        // libcurl writes every connection's keys to the file that SSLKEYLOGFILE names.
        SSL_CTX_set_keylog_callback(context, nil)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(context, Self.verify, retained.toOpaque())
        return true
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
        guard judges.judge(for: context)?.decide(context) == true else {
            X509_STORE_CTX_set_error(context, X509_V_ERR_APPLICATION_VERIFICATION)
            return 0
        }
        X509_STORE_CTX_set_error(context, X509_V_OK)
        return 1
    }

    /// The judge of the layer that the handshake belongs to; nil, which refuses, where that is not certain.
    private func judge(for context: OpaquePointer) -> HandshakeJudge? {
        switch LayerMark.layer(ofStore: X509_STORE_CTX_get0_store(context)) {
        case .server: server
        case .proxy: proxy
        case nil: nil
        }
    }
}
