internal import CLinchpin
internal import COpenSSL
internal import Foundation
internal import LinchpinTrust

/// A connection with TLS; the one owner of its `SSL`. Used by one thread, which also runs OpenSSL's callbacks.
final class TLSStream: ByteStream {
    let socket: ConnectionSocket
    /// The client's alert in OpenSSL's words; nil for none but "close notify".
    private(set) var alertReceived: String?
    private(set) var serverName: String?
    private let connection: OpaquePointer
    /// SSL_get_error(3): after a fatal error neither SSL_write nor SSL_shutdown may be called.
    private var isBroken = false

    private static let index = clinchpin_SSL_new_ex_data_index(nil)

    /// Nil when OpenSSL fails; the handshake is still to be done.
    init?(_ socket: ConnectionSocket, context: TLSContext, presenting identity: PresentedIdentity) {
        guard let connection = context.makeConnection(socket: socket.number, presenting: identity) else { return nil }
        self.socket = socket
        self.connection = connection
        // Read by attached(to:) in the callbacks of TLSContext; taken away again in deinit, before the connection goes.
        SSL_set_ex_data(connection, Self.index, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        SSL_set_ex_data(connection, Self.index, nil)
        SSL_free(connection)
    }

    /// The stream that owns a connection.
    static func attached(to connection: OpaquePointer) -> TLSStream? {
        SSL_get_ex_data(connection, index).map { Unmanaged<TLSStream>.fromOpaque($0).takeUnretainedValue() }
    }

    /// OpenSSL has read an alert: its level in the second byte, what it says in the first.
    func alertArrived(_ value: Int32) {
        guard value & 0xFF != SSL3_AD_CLOSE_NOTIFY, let words = SSL_alert_desc_string_long(value) else { return }
        alertReceived = String(cString: words)
    }

    /// OpenSSL has read the client's hello. SSL_get_servername(3) would leave the name out, or give that of an earlier
    /// handshake, where TLS 1.2 resumes a session.
    func helloArrived() {
        var bytes: UnsafePointer<UInt8>?
        var length = 0
        guard SSL_client_hello_get0_ext(connection, UInt32(TLSEXT_TYPE_server_name), &bytes, &length) == 1 else {
            return
        }
        // A list's length, the kind of its first entry, that one's length, and the name (RFC 6066 §3).
        let content = UnsafeBufferPointer(start: bytes, count: length)
        guard content.count > 5, content[2] == UInt8(TLSEXT_NAMETYPE_host_name) else { return }
        let count = Int(content[3]) << 8 | Int(content[4])
        serverName = String(decoding: content[5...].prefix(count), as: UTF8.self)
    }

    /// What became of a handshake.
    enum HandshakeOutcome {
        case completed
        case failed(String)
        case stopped
    }

    /// Does the handshake.
    func accept() -> HandshakeOutcome {
        while true {
            OpenSSLError.clear()
            let result = SSL_accept(connection)
            if result == 1 { return .completed }
            switch next(after: result) {
            case .retry: continue
            case .stop: return .stopped
            case .fail(let words): return .failed(words)
            }
        }
    }

    /// What there is to say about the handshake.
    func handshake(number: Int, failure: String?) -> LocalTLSServer.Handshake {
        var protocolName: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(connection, &protocolName, &length)
        let chosen = UnsafeBufferPointer(start: protocolName, count: Int(length))
        let shown = SSL_get0_peer_certificate(connection)
        return LocalTLSServer.Handshake(
            number: number,
            serverName: serverName,
            version: SSL_get_version(connection).map { String(cString: $0) } ?? "unknown",
            applicationProtocol: chosen.isEmpty ? nil : String(decoding: chosen, as: UTF8.self),
            isResumed: SSL_session_reused(connection) == 1,
            completed: failure == nil,
            failure: failure,
            alertReceived: alertReceived,
            clientCertificate: shown.flatMap { Certificate(handle: X509Handle(sharing: $0)) }
        )
    }

    func readAvailable(into buffer: inout [UInt8]) -> ReadOutcome {
        while true {
            OpenSSLError.clear()
            let count = SSL_read(connection, &buffer, Int32(clamping: buffer.count))
            if count > 0 { return .bytes(Int(count)) }
            if SSL_get_error(connection, count) == SSL_ERROR_WANT_READ { return .nothing }
            guard case .retry = next(after: count) else { return .ended }
        }
    }

    func write(_ bytes: Data) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        while !isBroken {
            OpenSSLError.clear()
            let count = bytes.withUnsafeBytes { SSL_write(connection, $0.baseAddress, Int32(clamping: $0.count)) }
            if count > 0 { return Int(count) }
            guard case .retry = next(after: count) else { return nil }
        }
        return nil
    }

    /// Sends "close notify"; the client's own is not waited for.
    func finish() {
        guard !isBroken else { return }
        OpenSSLError.clear()
        SSL_shutdown(connection)
        OpenSSLError.clear()
    }

    private enum Step {
        case retry
        case stop
        case fail(String)
    }

    /// Waits for what OpenSSL wants, or finds out why it does not go on.
    private func next(after result: Int32) -> Step {
        switch SSL_get_error(connection, result) {
        case SSL_ERROR_WANT_READ: return socket.waitToRead() ? .retry : .stop
        case SSL_ERROR_WANT_WRITE: return socket.waitToWrite() ? .retry : .stop
        case SSL_ERROR_ZERO_RETURN: return .fail("the client closed the connection")
        default:
            isBroken = true
            let words = OpenSSLError.drain()
            return .fail(words.isEmpty ? "the client broke the connection" : words.joined(separator: "; "))
        }
    }
}
