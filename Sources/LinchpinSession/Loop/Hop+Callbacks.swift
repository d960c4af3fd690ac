internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import LinchpinTrust

extension Hop {
    /// Points libcurl's callbacks at the handle, and so at the hop that it serves at the time.
    static func setCallbacks(on easy: EasyHandle) throws(CurlFailure) {
        let context = Unmanaged.passUnretained(easy).toOpaque()
        try easy.set(CURLOPT_WRITEFUNCTION, callback: received)
        try easy.set(CURLOPT_WRITEDATA, context)
        try easy.set(CURLOPT_HEADERFUNCTION, callback: headerArrived)
        try easy.set(CURLOPT_HEADERDATA, context)
        try easy.set(CURLOPT_READFUNCTION, callback: bodyWanted)
        try easy.set(CURLOPT_READDATA, context)
        try check(clinchpin_easy_setopt_seek_callback(easy.pointer, bodySought))
        try easy.set(CURLOPT_SEEKDATA, context)
        try check(clinchpin_easy_setopt_ssl_ctx_callback(easy.pointer, contextMade))
        try easy.set(CURLOPT_SSL_CTX_DATA, context)
        try check(clinchpin_easy_setopt_prereq_callback(easy.pointer, requestDue))
        try easy.set(CURLOPT_PREREQDATA, context)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Hop? {
        // Passed unretained in setCallbacks(on:).
        context.flatMap { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue().hop }
    }

    private static let received: clinchpin_data_callback = { bytes, size, count, context in
        guard let hop = from(context), let bytes else { return 0 }
        return hop.receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    /// One line of a head or a trailer: libcurl would take a head that breaks off for a response.
    private static let headerArrived: clinchpin_data_callback = { bytes, size, count, context in
        guard let hop = from(context), let bytes else { return 0 }
        return hop.takeHeadLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    private static let bodyWanted: clinchpin_data_callback = { buffer, size, count, context in
        guard let hop = from(context), let buffer else { return Int(CURL_READFUNC_ABORT) }
        return hop.send(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
    }

    /// The body again from its start, for a connection that died before it answered.
    private static let bodySought: curl_seek_callback = { context, offset, origin in
        guard let hop = from(context), origin == SEEK_SET, offset == 0 else { return CURL_SEEKFUNC_FAIL }
        return hop.rewindBody() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    }

    /// A TLS connection is about to be made: from here on our judges decide about it.
    private static let contextMade: curl_ssl_ctx_callback = { _, sslContext, context in
        guard let hop = from(context), let sslContext else { return CURLE_ABORTED_BY_CALLBACK }
        let judges = hop.judges ?? hop.route.judges.renewed()
        hop.judges = judges
        guard judges.install(onContext: sslContext) else { return CURLE_ABORTED_BY_CALLBACK }
        hop.handshakeBegan()
        return CURLE_OK
    }

    /// The connection stands, new or kept, and the request is about to go out: the second look.
    private static let requestDue: curl_prereq_callback = { context, _, _, _, _ in
        guard let hop = from(context) else { return Int32(CURL_PREREQFUNC_ABORT) }
        guard hop.mayBegin else {
            hop.fail(
                .connectionLost,
                "the kept connection was lost before an answer came; \(hop.method) is not sent twice, since the "
                    + "server may have acted on it"
            )
            return Int32(CURL_PREREQFUNC_ABORT)
        }
        if hop.isExpecting, hop.easy.long(CURLINFO_RESPONSE_CODE) == 417, (try? hop.dropExpectation()) == nil {
            return Int32(CURL_PREREQFUNC_ABORT)
        }
        do throws(TrustError) {
            try hop.reviewConnection()
        } catch {
            hop.refusal = error
            return Int32(CURL_PREREQFUNC_ABORT)
        }
        guard !hop.wouldBeLost else {
            hop.isConnectionClosed = true
            return Int32(CURL_PREREQFUNC_ABORT)
        }
        // How often it sent a request again, libcurl 7.88 adds up until a reset.
        if hop.hasBegun { hop.easy.mark(.reset) }
        hop.hasBegun = true
        hop.handshakeStart = nil
        hop.lastActivity = hop.clock.now
        hop.pool.deadlineChanged(hop)
        return Int32(CURL_PREREQFUNC_OK)
    }

    /// Whether the request has not gone out yet, or may go out twice (RFC 9110 §9.2.2).
    ///
    /// libcurl sends it again where a kept connection dies before the first byte of an answer. It also does after
    /// a 417, an answer that says that nobody acted on the request.
    private var mayBegin: Bool {
        !hasBegun || headLines > 0 || easy.long(CURLINFO_REQUEST_SIZE) == 0 || isIdempotent
    }

    private var isIdempotent: Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY": true
        default: false
        }
    }

    /// Whether the server has closed the connection that the request is to go out on. One that may simply be sent again
    /// is looked after from the second time on: libcurl gives up after five.
    private var wouldBeLost: Bool {
        let isLookedAfter = hasBegun ? body == nil && headLines == 0 : body != nil || !isIdempotent
        guard isLookedAfter, let tlsConnection else { return false }
        return pool.keptSockets.isClosed(tlsConnection)
    }

    /// The transfer is done: its connection may be kept.
    func noteKeptSocket() {
        guard let tlsConnection, let socket = pool.keptSockets.remember(tlsConnection, of: easy) else { return }
        pool.poller.keeps(socket)
    }

    /// This is the connection that the request is to go out on.
    private func note(_ connection: UnsafeMutableRawPointer) {
        if easy.long(CURLINFO_NUM_CONNECTS) > 0 { pool.keptSockets.forget(connection) }
        tlsConnection = connection
    }

    private func reviewConnection() throws(TrustError) {
        guard pool.isCurrent else {
            throw TrustError(.policyChanged, reason: "the table of evaluators was replaced while the request waited")
        }
        // A proxy's certificate, too, lets a connection in only for as long as it is valid.
        if let end = judges?.proxy?.acceptedUntil { pool.accepted(until: end) }
        guard let judge = route.judges.server else {
            guard !url.isSecure else {
                throw TrustError(.evaluationUnavailable, reason: "nobody judges this host")
            }
            // An HTTPS proxy, too, may have closed it.
            if route.judges.proxy != nil, let connection = clinchpin_easy_openssl_connection(easy.pointer) {
                note(connection)
            }
            return
        }
        guard let connection = clinchpin_easy_openssl_connection(easy.pointer) else {
            throw TrustError(.evaluationUnavailable, reason: "the connection has no TLS that can be looked at")
        }
        note(connection)
        let verdict = try judge.review(connection: connection)
        pool.accepted(until: verdict.validUntil)
        tls = TLSFacts(connection: connection, verdict: verdict)
    }
}
