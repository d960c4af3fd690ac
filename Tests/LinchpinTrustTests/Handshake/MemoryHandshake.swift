import CLinchpin
import COpenSSL
import Foundation
import LinchpinTesting
import LinchpinTrust

/// A TLS handshake between a client that our judges decide for and a server of OpenSSL's, both in memory.
final class MemoryHandshake {
    /// What the server does.
    struct Server {
        var identity: ServerIdentity
        var version = TLS1_3_VERSION
        /// What it staples.
        var staple: Data?
        /// Whether it asks for a client certificate.
        var requestsCertificate = false
        /// The timestamps of its extension.
        var timestamps: Data?
        /// More settings of its context.
        var configure: (OpaquePointer) -> Void = { _ in }
    }

    struct Failure: Error { let what: String }

    let clientContext: OpaquePointer
    let client: OpaquePointer
    private let serverContext: OpaquePointer
    let server: OpaquePointer
    private let staple: Staple
    private(set) var isComplete = false
    private(set) var errors: [String] = []

    /// What the server's status callback finds.
    private final class Staple {
        let bytes: Data?
        init(_ bytes: Data?) { self.bytes = bytes }
    }

    /// Makes both ends; nothing is said yet.
    ///
    /// - Parameters:
    ///   - session: an `SSL_SESSION *` to resume.
    ///   - serverContext: the one of an earlier handshake, which knows its tickets.
    init(
        judges: ConnectionJudges,
        server settings: Server,
        resuming session: OpaquePointer? = nil,
        serverContext earlier: OpaquePointer? = nil
    ) throws {
        OpenSSLError.clear()
        guard let clientContext = SSL_CTX_new(TLS_client_method()) else { throw Failure(what: "no contexts") }
        self.clientContext = clientContext
        staple = Staple(settings.staple)
        if let earlier {
            SSL_CTX_up_ref(earlier)
            serverContext = earlier
        } else {
            serverContext = try Self.context(settings, staple)
        }
        try Self.prepareClient(clientContext, judges)
        guard let client = SSL_new(clientContext), let server = SSL_new(serverContext) else {
            throw Failure(what: "no connections")
        }
        (self.client, self.server) = (client, server)
        var ends: (OpaquePointer?, OpaquePointer?)
        guard BIO_new_bio_pair(&ends.0, 1 << 17, &ends.1, 1 << 17) == 1 else { throw Failure(what: "no pair") }
        SSL_set_bio(client, ends.0, ends.0)
        SSL_set_bio(server, ends.1, ends.1)
        if let session { SSL_set_session(client, session) }
        SSL_set_connect_state(client)
        SSL_set_accept_state(server)
    }

    deinit {
        // Otherwise OpenSSL takes the session for one that must not be resumed.
        SSL_set_shutdown(client, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_set_shutdown(server, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(client)
        SSL_free(server)
        SSL_CTX_free(clientContext)
        SSL_CTX_free(serverContext)
    }

    /// Lets both ends talk until they are done or one of them gives up.
    func run() {
        var isDone = (client: false, server: false)
        for _ in 0..<50 where !(isDone.client && isDone.server) && errors.isEmpty {
            isDone.client = step(client)
            if helloSize == 0 { helloSize = bytesSentByClient }
            // After a refusal the server still reads the alert.
            isDone.server = step(server)
        }
        isComplete = isDone.client && isDone.server && errors.isEmpty
    }

    /// Sends bytes of the server and reads them at the client, which also takes tickets in.
    func exchange() {
        var buffer = [UInt8](repeating: 0, count: 16)
        SSL_write(server, "hello", 5)
        SSL_read(client, &buffer, Int32(buffer.count))
    }

    /// The context of the server, for another handshake.
    var sharedServerContext: OpaquePointer { serverContext }

    /// What the client showed the server.
    var certificatesSeenByServer: [Certificate] {
        guard let leaf = SSL_get0_peer_certificate(server) else { return [] }
        // The server's own list of them leaves the leaf out.
        let others = SSL_get_peer_cert_chain(server)
        let pointers = [leaf] + (0..<max(OPENSSL_sk_num(others), 0)).map { OpaquePointer(OPENSSL_sk_value(others, $0)) }
        return pointers.compactMap { $0.flatMap { Certificate(handle: X509Handle(sharing: $0)) } }
    }

    /// How many bytes the client has sent, and how many of them in its first flight.
    var bytesSentByClient: Int { Int(BIO_number_written(SSL_get_wbio(client))) }
    private(set) var helloSize = 0

    private func step(_ end: OpaquePointer) -> Bool {
        OpenSSLError.clear()
        let result = SSL_do_handshake(end)
        if result == 1 { return true }
        let error = SSL_get_error(end, result)
        if error != SSL_ERROR_WANT_READ, error != SSL_ERROR_WANT_WRITE {
            errors.append("\(end == client ? "client" : "server"): \(OpenSSLError.drainText())")
        }
        return false
    }

    private static func prepareClient(_ context: OpaquePointer, _ judges: ConnectionJudges) throws {
        let mark = Array(try LayerMark.server.pem().utf8)
        let list = mark.withUnsafeBytes { bytes -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            return PEM_read_bio_X509_CRL(bio, nil, nil, nil)
        }
        defer { X509_CRL_free(list) }
        X509_STORE_add_crl(SSL_CTX_get_cert_store(context), list)
        guard judges.install(onContext: UnsafeMutableRawPointer(context)) else { throw Failure(what: "not installed") }
    }

    private static func context(_ settings: Server, _ staple: Staple) throws -> OpaquePointer {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw Failure(what: "no context") }
        _ = clinchpin_SSL_CTX_set_min_proto_version(context, settings.version)
        _ = clinchpin_SSL_CTX_set_max_proto_version(context, settings.version)
        let leaf = try X509Handle(parsing: settings.identity.certificate)
        let key = try privateKey(settings.identity.privateKeyPEM)
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_certificate(context, leaf.pointer) == 1, SSL_CTX_use_PrivateKey(context, key) == 1 else {
            throw Failure(what: "no identity: \(OpenSSLError.drainText())")
        }
        for certificate in settings.identity.chain.dropFirst() {
            let handle = try X509Handle(parsing: certificate)
            SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(handle.pointer))
        }
        // The handshake keeps the staple as long as the context; a shared context keeps the first one's.
        _ = clinchpin_SSL_CTX_request_status(context, giveStaple, Unmanaged.passRetained(staple).toOpaque())
        if settings.requestsCertificate {
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
            SSL_CTX_set_cert_verify_callback(context, { _, _ in 1 }, nil)
        }
        if let timestamps = settings.timestamps {
            // In the hello of TLS 1.2 and beside the certificate of TLS 1.3; type 18 (RFC 6962 §3.3.1).
            let place = SSL_EXT_CLIENT_HELLO | SSL_EXT_TLS1_2_SERVER_HELLO | SSL_EXT_TLS1_3_CERTIFICATE
            let head = [0, 0, UInt8(place >> 8), UInt8(place & 0xFF), 0, 18]
            let info = head + [UInt8(timestamps.count >> 8), UInt8(timestamps.count & 0xFF)] + timestamps
            guard SSL_CTX_use_serverinfo_ex(context, UInt32(SSL_SERVERINFOV2), info, info.count) == 1 else {
                throw Failure(what: "no serverinfo: \(OpenSSLError.drainText())")
            }
        }
        let scope = Array("memory".utf8)
        SSL_CTX_set_session_id_context(context, scope, UInt32(scope.count))
        settings.configure(context)
        return context
    }

    private static let giveStaple: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
        connection,
        argument in
        // Retained in context(_:_:), for the rest of the test's process.
        guard let argument, let bytes = Unmanaged<Staple>.fromOpaque(argument).takeUnretainedValue().bytes,
            let copy = CRYPTO_malloc(bytes.count, nil, 0)
        else { return SSL_TLSEXT_ERR_NOACK }
        bytes.copyBytes(to: UnsafeMutableRawBufferPointer(start: copy, count: bytes.count))
        SSL_ctrl(connection, SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP, bytes.count, copy)
        return SSL_TLSEXT_ERR_OK
    }

    static func privateKey(_ pem: String) throws -> OpaquePointer {
        let bytes = Array(pem.utf8)
        let key = bytes.withUnsafeBytes { bytes -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            return PEM_read_bio_PrivateKey(bio, nil, nil, nil)
        }
        guard let key else { throw Failure(what: "no key") }
        return key
    }
}

extension X509Handle {
    /// A copy of a certificate, for OpenSSL calls of the tests.
    convenience init(parsing certificate: Certificate) throws {
        let pointer = certificate.der.withUnsafeBytes { bytes -> OpaquePointer? in
            var cursor = bytes.bindMemory(to: UInt8.self).baseAddress
            return d2i_X509(nil, &cursor, bytes.count)
        }
        guard let pointer else { throw MemoryHandshake.Failure(what: "no certificate") }
        self.init(takingOwnership: pointer)
    }
}
