internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import FoundationNetworking
internal import LinchpinTrust

/// One transfer: one request to one origin, on one easy handle; lives on the loop's thread.
///
/// libcurl's callbacks hold it unretained: ``LoopCore`` keeps it until the handle is out of the multi handle.
final class Hop {
    /// Which connections the transfer may use.
    enum Connection {
        /// Any that fits.
        case pooled
        /// A new one with a full handshake.
        case fresh
    }

    // Both are there as long as the hop is: the exchange has it, and ``LoopCore`` keeps a pool until it has none.
    unowned(unsafe) let exchange: Exchange
    unowned(unsafe) let pool: ConnectionPool
    let clock: LoopClock
    let url: ParsedURL
    /// The URL as the caller has it.
    let target: URL
    /// The request's method.
    let method: String
    let easy: EasyHandle
    let route: Route
    /// Who judges the hop's own handshakes; nil while there was none.
    var judges: ConnectionJudges?
    let connection: Connection
    let body: (any BodySource)?
    /// Where the pool has it; nil while libcurl does not know of it.
    var place: Int?
    /// Whether libcurl has said that the transfer is done, and well.
    var hasEndedWell = false
    /// Whether the response's body goes to the exchange's sink, which has then seen the head.
    var hasBegunSink = false
    /// The body of a redirect that may be followed; nil where it is none.
    var redirectBody: Data?
    /// Whether the head was a challenge that libcurl may answer by itself: then neither it nor its body is the
    /// response.
    var isChallenged = false
    /// Whether the caller suspended the request.
    var isSuspended = false
    /// Whether what came was not taken, and waits for its reader.
    var isReceivingPaused = false
    /// Whether the body had nothing to send.
    var isSendingPaused = false
    /// How many bytes of the body went out.
    var sentBytes: Int64 = 0
    /// How many bytes of the final response's body came, decoded.
    var receivedBytes: Int64 = 0
    /// How many there will be, if it was said.
    var announcedBytes: Int64?
    /// Whether the response's head came to its end.
    var isHeadComplete = false
    /// Whether a head has begun and is not at its end.
    var isHeadOpen = false {
        didSet { if isHeadOpen != oldValue { pool.openHeads += isHeadOpen ? 1 : -1 } }
    }
    /// How many lines of heads and trailers came.
    var headLines = 0
    /// How many bytes of heads and trailers came.
    var headBytes = 0
    /// Whether a field came that may say how the body is encoded.
    var mayBeEncoded = false
    /// Whether a body may wait for the server to ask for it; not when it has refused to.
    var isExpecting = true
    /// When the TLS handshake that is under way began; nil while there is none.
    var handshakeStart: Int64?
    /// Whether the body has said that it is at its end.
    var hasBodyEnded = false
    /// Whether a response has begun that is not an interim one.
    var hasAnswered = false
    /// Whether the connection stands and the request goes out.
    var hasBegun = false
    /// When it began, in nanoseconds of the monotonic clock.
    let start = Poller.now()
    /// When a byte last came or went, in nanoseconds of the monotonic clock.
    var lastActivity: Int64 = 0
    /// The TLS under it, once the request has gone out.
    var tls: TLSFacts?
    /// OpenSSL's connection under it, which may be gone; nil before the request is due, and where there is none.
    var tlsConnection: UnsafeMutableRawPointer?
    /// Whether the request did not go out since its kept connection was closed by the server.
    var isConnectionClosed = false
    /// Why the request did not go out on a connection that stood.
    var refusal: TrustError?
    /// Why the session itself ended the transfer.
    var failure: SessionError?

    /// libcurl limits a head's bytes, not its lines, and needs time that grows with their square to list them.
    static let mostHeadLines = 1_000

    init(
        exchange: Exchange,
        route: Route,
        url: ParsedURL,
        target: URL,
        connection: Connection
    ) throws(SessionError) {
        self.exchange = exchange
        self.route = route
        pool = route.pool
        clock = pool.clock
        self.url = url
        self.target = target
        method = exchange.request.httpMethod ?? "GET"
        self.connection = connection
        isSuspended = exchange.owner.state == .suspended
        do throws(BodyError) {
            if let unsent = exchange.unsentBody {
                body = unsent
            } else if exchange.body.isNone {
                body = nil
            } else {
                body = try exchange.body.makeSource { [weak owner = exchange.owner] in owner?.wakeLoop() }
            }
            exchange.unsentBody = nil
        } catch {
            throw .sessionTaskFailed(error: error.transportError)
        }
        do throws(CurlFailure) {
            easy = try pool.takeEasyHandle(
                route.shape(needsOwnConnection: exchange.owner.options.needsOwnConnection)
            )
            try setOptions()
        } catch {
            throw .sessionTaskFailed(error: error.transportError)
        }
    }

    /// The body of a request that has not gone out, for the hop that takes its place: a stream can be begun once only.
    var unreadBody: (any BodySource)? { hasBegun ? nil : body }

    /// The response without its body; nil when no status line came.
    func responseHead() -> ResponseHead? {
        let status = easy.long(CURLINFO_RESPONSE_CODE)
        guard status > 0 else { return nil }
        let isHTTP2 = easy.long(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0)
        return ResponseHead(
            url: target,
            statusCode: status,
            httpVersion: isHTTP2 ? "HTTP/2" : "HTTP/1.1",
            fields: RawFields(of: easy)
        )
    }
}
