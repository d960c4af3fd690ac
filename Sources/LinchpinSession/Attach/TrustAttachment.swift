internal import CLibcurl
internal import CLinchpin
internal import Foundation
public import LinchpinTrust
internal import Synchronization

/// A ``ServerTrustManager`` at work on a libcurl easy handle that somebody else drives.
///
/// Keep it for as long as the handle is used: once it is gone, every connection of the handle is refused.
public final class TrustAttachment: Sendable {
    private let manager: ServerTrustManager
    private let handle: UInt
    private let number: UInt
    private let lastRefusal = Mutex<TrustError?>(nil)
    /// Who judges the connection that was made last.
    private let judges = Mutex<ConnectionJudges?>(nil)

    /// - Throws: ``SessionError`` `.sessionTaskFailed` when libcurl does not take an option, or `.sessionInvalidated`
    ///   when it is too old or not built on OpenSSL.
    init(manager: ServerTrustManager, handle: UnsafeMutableRawPointer) throws(SessionError) {
        try CurlLibrary.ensureUsable()
        self.manager = manager
        self.handle = UInt(bitPattern: handle)
        number = Attachments.nextNumber()
        Attachments.add(self, number)
        do throws(CurlFailure) {
            try setOptions(handle)
        } catch {
            throw .sessionTaskFailed(error: error.transportError)
        }
    }

    deinit { Attachments.remove(number) }

    /// Why the last connection was refused, in full; nil when none was. libcurl itself only says that a callback or
    /// the verification failed.
    public var refusal: TrustError? {
        lastRefusal.withLock { $0 } ?? judges.withLock { $0?.refusal }
    }

    /// The one place where TLS verification is configured on the handle.
    private func setOptions(_ handle: UnsafeMutableRawPointer) throws(CurlFailure) {
        let anchors: (server: String, proxy: String)
        do {
            anchors = (try LayerMark.server.pem(), try LayerMark.proxy.pem())
        } catch {
            throw CurlFailure(code: CURLE_SSL_CACERT_BADFILE)
        }
        // What was accepted for other handles, or under another state of the table, is not found by this one.
        let tag = "# attached \(ObjectIdentifier(manager)) generation \(manager.generation)\n"
        for (option, value) in [
            (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_PROXY_SSL_VERIFYPEER, 1), (CURLOPT_PROXY_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            (CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
        ] {
            try check(clinchpin_easy_setopt_long(handle, option, value))
        }
        for option in [CURLOPT_CAPATH, CURLOPT_CAINFO, CURLOPT_PROXY_CAPATH, CURLOPT_PROXY_CAINFO] {
            try check(clinchpin_easy_setopt_string(handle, option, nil))
        }
        let server = Array("\(tag)\(anchors.server)".utf8)
        let proxy = Array("\(tag)\(anchors.proxy)".utf8)
        try check(clinchpin_easy_setopt_blob_copy(handle, CURLOPT_CAINFO_BLOB, server, server.count))
        try check(clinchpin_easy_setopt_blob_copy(handle, CURLOPT_PROXY_CAINFO_BLOB, proxy, proxy.count))
        // A number, not a pointer: the handle may outlive this object.
        let context = UnsafeMutableRawPointer(bitPattern: number)
        try check(clinchpin_easy_setopt_ssl_ctx_callback(handle, Self.contextMade))
        try check(clinchpin_easy_setopt_pointer(handle, CURLOPT_SSL_CTX_DATA, context))
        try check(clinchpin_easy_setopt_prereq_callback(handle, Self.requestDue))
        try check(clinchpin_easy_setopt_pointer(handle, CURLOPT_PREREQDATA, context))
    }

    private static let contextMade: curl_ssl_ctx_callback = { handle, sslContext, context in
        guard let attachment = Attachments.find(UInt(bitPattern: context)), let handle, let sslContext,
            attachment.prepare(sslContext, of: handle)
        else { return CURLE_ABORTED_BY_CALLBACK }
        return CURLE_OK
    }

    private static let requestDue: curl_prereq_callback = { context, _, _, _, _ in
        guard let attachment = Attachments.find(UInt(bitPattern: context)), attachment.review() else {
            return Int32(CURL_PREREQFUNC_ABORT)
        }
        return Int32(CURL_PREREQFUNC_OK)
    }

    /// A TLS connection is about to be made for the URL that the transfer is at.
    private func prepare(_ sslContext: UnsafeMutableRawPointer, of handle: UnsafeMutableRawPointer) -> Bool {
        refusing { () throws(TrustError) in
            // The second look would look at the connection of the handle that this was attached to.
            guard UInt(bitPattern: handle) == self.handle else {
                throw TrustError(.evaluationUnavailable, reason: "the handle is a copy of the one that was attached to")
            }
            let judges = ConnectionJudges(server: try judge(for: url()), proxy: nil)
            guard judges.install(onContext: sslContext) else {
                throw TrustError(.evaluationUnavailable, reason: "OpenSSL did not take the evaluator")
            }
            self.judges.withLock { $0 = judges }
        }
    }

    /// A request is about to go out, on a new connection or a kept one.
    private func review() -> Bool {
        refusing { () throws(TrustError) in
            let url = try url()
            guard url.isSecure else {
                let policy = try manager.policy(for: url.identity, port: url.port)
                guard !policy.refusesCleartext else { throw policy.cleartextRefusal(url.identity) }
                return
            }
            guard let connection = clinchpin_easy_openssl_connection(pointer) else {
                throw TrustError(.evaluationUnavailable, reason: "the connection has no TLS that can be looked at")
            }
            _ = try judge(for: url).review(connection: connection)
        }
    }

    private func refusing(_ body: () throws(TrustError) -> Void) -> Bool {
        do throws(TrustError) {
            try body()
            return true
        } catch {
            lastRefusal.withLock { $0 = error }
            return false
        }
    }

    private func judge(for url: ParsedURL) throws(TrustError) -> HandshakeJudge {
        HandshakeJudge(
            identity: url.identity,
            policy: try manager.policy(for: url.identity, port: url.port),
            now: { Date() }
        )
    }

    /// Where the transfer is, which a redirect may have changed.
    private func url() throws(TrustError) -> ParsedURL {
        var text: UnsafePointer<CChar>?
        guard clinchpin_easy_getinfo_string(pointer, CURLINFO_EFFECTIVE_URL, &text) == CURLE_OK, let text,
            let url = URL(string: String(cString: text))
        else { throw TrustError(.malformedHost, reason: "the handle has no URL") }
        do {
            return try ParsedURL(url)
        } catch {
            throw TrustError(.malformedHost, reason: "\(error)")
        }
    }

    private var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: handle) }
}

/// The attachments that are alive, by number.
private enum Attachments {
    private struct Entry {
        weak var attachment: TrustAttachment?
    }

    private struct Guarded {
        var last: UInt = 0
        var entries: [UInt: Entry] = [:]
    }

    private static let guarded = Mutex(Guarded())

    static func nextNumber() -> UInt {
        guarded.withLock { guarded in
            guarded.last += 1
            return guarded.last
        }
    }

    static func add(_ attachment: TrustAttachment, _ number: UInt) {
        guarded.withLock { $0.entries[number] = Entry(attachment: attachment) }
    }

    static func remove(_ number: UInt) { _ = guarded.withLock { $0.entries.removeValue(forKey: number) } }

    static func find(_ number: UInt) -> TrustAttachment? { guarded.withLock { $0.entries[number]?.attachment } }
}
