internal import CLibcurl
internal import CLinchpin
internal import Foundation
internal import Glibc
internal import LinchpinTrust
internal import Synchronization

/// The connections and TLS sessions that one state of the trust table let in; lives on the loop's thread.
///
/// A new state gets a new pool, so that nothing accepted under an old one can be used again. ``close()`` ends it.
final class ConnectionPool {
    /// Tells pools of a loop apart in what epoll reports.
    let number: UInt32
    /// The table's state that its connections were judged by.
    let generation: Int
    let clock: LoopClock
    let configuration: SessionConfiguration
    let settings: TransportSettings
    /// The TLS sessions of this pool's handles that use no cookies.
    private let store = SharedStore(holdsCookies: false)
    /// The cookies of the session, and the TLS sessions of the handles that use them; nil where it keeps none.
    private let cookieStore: SharedStore?
    /// A part of what TLS sessions are looked up by: no other pool of the process may resume this one's.
    private let serial = ConnectionPool.serials.wrappingAdd(1, ordering: .relaxed).newValue
    /// When libcurl wants to be called, in nanoseconds of the monotonic clock.
    var timerDeadline = Int64.max
    /// The earliest last second of validity among the connections.
    @exclusivity(unchecked) private(set) var validUntil = Date.distantFuture
    /// How many transfers have the beginning of a head, but not its end.
    @exclusivity(unchecked) var openHeads = 0
    /// Where something happened last.
    private var lastSocket = CURL_SOCKET_BAD
    /// Where its idle TLS connections are.
    @exclusivity(unchecked) var keptSockets = KeptSockets()
    /// Called when a hop has got another deadline, while libcurl runs.
    var deadlineChanged: (Hop) -> Void = { _ in }

    private let multi: UnsafeMutableRawPointer
    let poller: Poller
    private let manager: ServerTrustManager?
    @exclusivity(unchecked) private var hops: [Hop] = []
    @exclusivity(unchecked) private var idleHandles: [EasyHandle] = []
    /// The shapes that handles got last.
    private var shapes: [HandleShape] = []
    private var lastBlob: [LayerMark: (tag: String?, bytes: SharedBytes)] = [:]
    /// The session's fields, for a GET or HEAD that has none of its own: of these libcurl says nothing unasked.
    let sessionFields = HeaderList()
    private let anchors: [LayerMark: String]

    private static let serials = Atomic<UInt64>(0)
    /// A head of HTTP/2 has up to 128 KB, libcurl's buffer 16.
    private static let buffersInHead = 8
    private static let mostIdleHandles = 128
    private static let mostShapes = 16
    /// By its own rule libcurl keeps four for each running transfer, and so closes good ones when a burst ends.
    private static let mostKeptConnections = 256

    init(
        number: UInt32,
        generation: Int,
        configuration: SessionConfiguration,
        manager: ServerTrustManager?,
        poller: Poller,
        clock: LoopClock
    ) throws(SessionError) {
        settings = try TransportSettings(configuration)
        do {
            anchors = [.server: try LayerMark.server.pem(), .proxy: try LayerMark.proxy.pem()]
        } catch {
            throw .serverTrustEvaluationFailed(reason: error)
        }
        guard let multi = curl_multi_init() else { throw Self.outOfMemory }
        self.number = number
        self.generation = generation
        self.manager = manager
        self.poller = poller
        self.clock = clock
        self.multi = multi
        cookieStore = configuration.cookies.jar?.store
        self.configuration = configuration
        try setOptions(configuration)
        do throws(CurlFailure) {
            for header in configuration.headers where header.isSendable { try sessionFields.append(header) }
            try sessionFields.append(HTTPHeader(name: "Accept-Encoding", value: CurlLibrary.codings))
        } catch {
            close()
            throw .sessionTaskFailed(error: error.transportError)
        }
    }

    private static var outOfMemory: SessionError {
        .sessionTaskFailed(error: CurlFailure(code: CURLE_OUT_OF_MEMORY).transportError)
    }

    private func setOptions(_ configuration: SessionConfiguration) throws(SessionError) {
        // Unretained: close() takes the callbacks away before this object goes.
        let context = Unmanaged.passUnretained(self).toOpaque()
        var results = [
            clinchpin_multi_setopt_socket_callback(multi, Self.socketChanged),
            clinchpin_multi_setopt_pointer(multi, CURLMOPT_SOCKETDATA, context),
            clinchpin_multi_setopt_timer_callback(multi, Self.timerChanged),
            clinchpin_multi_setopt_pointer(multi, CURLMOPT_TIMERDATA, context),
            clinchpin_multi_setopt_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX)),
            clinchpin_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, Self.mostKeptConnections),
        ]
        if let most = configuration.maximumConnectionsPerHost {
            results.append(clinchpin_multi_setopt_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, most))
        }
        if let most = configuration.connections.total {
            results.append(clinchpin_multi_setopt_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, most))
        }
        guard results.allSatisfy({ $0 == CURLM_OK }) else {
            close()
            throw Self.outOfMemory
        }
    }

    /// Ends every transfer and connection. Nothing may be called after it. The pool's TLS sessions are resumed by no
    /// other one, even where they stay in the cookies' store until others take their place.
    func close() {
        for hop in hops {
            curl_multi_remove_handle(multi, hop.easy.pointer)
            hop.easy.hop = nil
            hop.place = nil
        }
        hops = []
        idleHandles = []
        _ = clinchpin_multi_setopt_socket_callback(multi, nil)
        _ = clinchpin_multi_setopt_timer_callback(multi, nil)
        curl_multi_cleanup(multi)
    }

    /// Whether no transfer runs.
    var isEmpty: Bool { hops.isEmpty }

    /// Whether the table is still in the state that this pool is for.
    var isCurrent: Bool { (manager?.generation ?? generation) == generation }

    /// The one shape that there is of a kind.
    func shape(_ key: HandleShape.Key) -> HandleShape {
        if let shape = shapes.first(where: { $0.key == key }) { return shape }
        let shape = HandleShape(key)
        if shapes.count == Self.mostShapes { shapes.removeFirst() }
        shapes.append(shape)
        return shape
    }

    /// A handle of this shape, for one transfer.
    func takeEasyHandle(_ shape: HandleShape) throws(CurlFailure) -> EasyHandle {
        if let index = idleHandles.lastIndex(where: { $0.shape === shape }) {
            idleHandles.swapAt(index, idleHandles.count - 1)
            return idleHandles.removeLast()
        }
        let handle: EasyHandle
        if let other = idleHandles.popLast() { handle = other } else { handle = try EasyHandle() }
        if handle.shape != nil { try handle.reset() }
        try shape.apply(to: handle, in: self)
        return handle
    }

    /// Begins a transfer.
    func add(_ hop: Hop) throws(SessionError) {
        let code = curl_multi_add_handle(multi, hop.easy.pointer)
        guard code == CURLM_OK else {
            let words = String(cString: curl_multi_strerror(code))
            throw .sessionTaskFailed(error: TransportError(code: .other, curlCode: nil, message: words))
        }
        hop.place = hops.count
        hops.append(hop)
    }

    /// Ends a transfer, done or not, and keeps its handle for another one.
    func remove(_ hop: Hop) {
        guard let place = hop.place else { return }
        hops.swapAt(place, hops.count - 1)
        hops[place].place = place
        hops.removeLast()
        hop.place = nil
        let easy = hop.easy
        curl_multi_remove_handle(multi, easy.pointer)
        easy.hop = nil
        hop.isHeadOpen = false
        // What libcurl keeps of a transfer that did not end well, such as how often it tried, is not for another one.
        if !hop.hasEndedWell { easy.mark(.reset) }
        guard idleHandles.count < Self.mostIdleHandles else { return }
        switch easy.afterUse {
        case .kept: break
        case .reset: guard (try? easy.reset()) != nil else { return }
        case .thrownAway: return
        }
        idleHandles.append(easy)
    }

    /// The next transfer that is done, with its result.
    func nextDone() -> (Hop, CURLcode)? {
        var result = CURLE_OK
        while let pointer = clinchpin_multi_next_done(multi, &result) {
            guard let hop = EasyHandle.of(pointer)?.hop else { continue }
            hop.hasEndedWell = result == CURLE_OK
            return (hop, result)
        }
        return nil
    }

    /// Tells libcurl what happened on a socket.
    func act(on socket: Int32, isReadable: Bool, isWritable: Bool, isBroken: Bool) {
        let mask =
            (isReadable ? CURL_CSELECT_IN : 0) | (isWritable ? CURL_CSELECT_OUT : 0)
            | (isBroken ? CURL_CSELECT_ERR : 0)
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, mask, &running)
        lastSocket = socket
        readOpenHeads()
    }

    /// Takes the rest of heads that are larger than libcurl's buffer: over HTTP/2, libcurl 7.88 keeps it in memory and
    /// has neither the socket nor a timer say so.
    private func readOpenHeads() {
        var running: Int32 = 0
        for _ in 0..<Self.buffersInHead where openHeads > 0 {
            curl_multi_socket_action(multi, lastSocket, CURL_CSELECT_IN, &running)
        }
    }

    /// Tells libcurl that its time has come, if it has.
    func actOnTimer() {
        guard timerDeadline <= clock.now else { return }
        timerDeadline = .max
        var running: Int32 = 0
        curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
        readOpenHeads()
    }

    /// Notes that a connection is good to the end of the second of `date`.
    func accepted(until date: Date) { validUntil = min(validUntil, date) }

    /// What a transfer shares with others.
    func store(usingCookies: Bool) -> SharedStore { usingCookies ? cookieStore ?? store : store }

    /// What libcurl itself gets for the anchors of a layer, with the policy's tag and this pool's as its comment.
    func anchorBlob(_ layer: LayerMark, tag: String?) -> SharedBytes {
        if let blob = lastBlob[layer], blob.tag == tag { return blob.bytes }
        let bytes = SharedBytes("# policy \(tag ?? "none"), pool \(serial)\n\(anchors[layer] ?? "")")
        lastBlob[layer] = (tag, bytes)
        return bytes
    }
}

extension ConnectionPool {
    private static func from(_ context: UnsafeMutableRawPointer?) -> ConnectionPool? {
        // Passed unretained in setOptions(_:).
        context.map { Unmanaged<ConnectionPool>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let socketChanged: curl_socket_callback = { _, socket, what, context, _ in
        guard let pool = from(context) else { return 0 }
        if what == CURL_POLL_REMOVE {
            pool.poller.forget(socket)
        } else {
            let isWatched = pool.poller.watch(
                socket,
                tag: pool.number,
                reads: what != CURL_POLL_OUT,
                writes: what != CURL_POLL_IN
            )
            // Nobody would hear of the socket again: libcurl then ends the transfer.
            if !isWatched { return -1 }
        }
        return 0
    }

    /// Has sockets of connections closed here, so that the poller is told of their end.
    func setSocketCallback(on easy: EasyHandle) throws(CurlFailure) {
        // Unretained: LoopCore has it for longer than any pool.
        let context = Unmanaged.passUnretained(poller).toOpaque()
        try check(clinchpin_easy_setopt_closesocket_callback(easy.pointer, Self.socketCloses))
        try easy.set(CURLOPT_CLOSESOCKETDATA, context)
    }

    private static let socketCloses: curl_closesocket_callback = { context, socket in
        // Passed unretained in setSocketCallback(on:).
        if let context { Unmanaged<Poller>.fromOpaque(context).takeUnretainedValue().closes(socket) }
        return Glibc.close(socket)
    }

    private static let timerChanged: curl_multi_timer_callback = { _, milliseconds, context in
        guard let pool = from(context) else { return 0 }
        pool.timerDeadline = milliseconds < 0 ? .max : Poller.now() + Int64(milliseconds) * 1_000_000
        return 0
    }
}
