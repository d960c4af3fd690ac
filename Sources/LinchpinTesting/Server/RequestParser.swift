internal import Foundation

/// Finds requests in the bytes of a connection (RFC 9112), without any input of its own.
struct RequestParser {
    /// What stands at the front of the bytes.
    enum Event: Equatable {
        case needsMore
        /// A head is complete whose client waits for `100 Continue`; told once.
        case expectsContinue
        case request(Message)
        /// Not a request, or too large: the status to answer with. Nothing can follow.
        case refused(status: Int)
    }

    /// A request's parts.
    struct Message: Equatable {
        var method: String
        var target: String
        var isHTTP10: Bool
        var headers: [LocalTLSServer.Header]
        var body = Data()
        /// Whether it was answered before its body was read.
        var isCutOff = false

        /// The same for a connection that ends with its answer.
        var closing: Message {
            var message = self
            message.isCutOff = true
            return message
        }

        /// Whether a field of that name has that token in its list.
        func has(_ token: String, in name: String) -> Bool {
            headers.filter { $0.isNamed(name) }.flatMap { $0.value.lowercased().split(separator: ",") }
                .contains { $0.trimmingCharacters(in: .whitespaces) == token }
        }

        /// Whether the client wants the connection kept (RFC 9112 §9.3).
        var keepsAlive: Bool {
            !isCutOff && (isHTTP10 ? has("keep-alive", in: "Connection") : !has("close", in: "Connection"))
        }
    }

    static let maximumHeadSize = 256 << 10
    let maximumBodySize: Int
    private var buffer = Data()
    private var state = State.head

    private enum State {
        case head
        /// `left` bytes of the body are still to come.
        case body(Message, left: Int)
        case chunkSize(Message)
        case chunk(Message, left: Int)
        case trailers(Message)
        case refused(Int)
    }

    private struct Refusal: Error { let status: Int }

    init(maximumBodySize: Int) { self.maximumBodySize = maximumBodySize }

    /// Takes bytes as they came.
    mutating func receive(_ bytes: some Collection<UInt8>) { buffer.append(contentsOf: bytes) }

    /// The request whose head came last, without its body; nothing can follow then.
    mutating func abandonBody() -> Message? {
        defer { state = .refused(400) }
        switch state {
        case .body(let message, _), .chunkSize(let message): return message
        default: return nil
        }
    }

    /// What stands at the front, taken off.
    mutating func next() -> Event {
        do {
            while true {
                if let event = try step() { return event }
            }
        } catch {
            state = .refused(error.status)
            return .refused(status: error.status)
        }
    }

    /// One step; nil when there is more to do at once.
    private mutating func step() throws(Refusal) -> Event? {
        switch state {
        case .refused(let status): return .refused(status: status)
        case .head: return try readHead()
        case .body(var message, let left):
            let taken = take(atMost: left)
            message.body += taken
            return finishOrWait(message, left: left - taken.count)
        case .chunkSize(let message): return try readChunkSize(message)
        case .chunk(var message, let left):
            let taken = take(atMost: left)
            // The last two bytes of a chunk are its line end.
            message.body += taken.prefix(max(left - 2, 0))
            state = left == taken.count ? .chunkSize(message) : .chunk(message, left: left - taken.count)
            return left == taken.count ? nil : .needsMore
        case .trailers(let message):
            guard let line = try takeLine(limit: Self.maximumHeadSize) else { return .needsMore }
            guard line.isEmpty else { return nil }
            state = .head
            return .request(message)
        }
    }

    private mutating func finishOrWait(_ message: Message, left: Int) -> Event {
        state = left == 0 ? .head : .body(message, left: left)
        return left == 0 ? .request(message) : .needsMore
    }

    private mutating func readHead() throws(Refusal) -> Event? {
        // Empty lines before a request are passed over (RFC 9112 §2.2).
        while buffer.starts(with: Data("\r\n".utf8)) { buffer.removeFirst(2) }
        guard let end = buffer.range(of: Data("\r\n\r\n".utf8)) else {
            if buffer.count > Self.maximumHeadSize { throw Refusal(status: 431) }
            return .needsMore
        }
        if buffer.distance(from: buffer.startIndex, to: end.lowerBound) > Self.maximumHeadSize {
            throw Refusal(status: 431)
        }
        let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
        buffer.removeSubrange(..<end.upperBound)
        let message = try Self.message(head: head)
        if message.has("chunked", in: "Transfer-Encoding") {
            state = .chunkSize(message)
        } else {
            let length = try Self.contentLength(of: message)
            guard length <= maximumBodySize else { throw Refusal(status: 413) }
            guard length > 0 else { return .request(message) }
            state = .body(message, left: length)
        }
        return message.has("100-continue", in: "Expect") ? .expectsContinue : nil
    }

    private mutating func readChunkSize(_ message: Message) throws(Refusal) -> Event? {
        guard let line = try takeLine(limit: 1024) else { return .needsMore }
        let digits = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard let size = Int(digits, radix: 16), size >= 0 else { throw Refusal(status: 400) }
        guard size <= maximumBodySize - message.body.count else { throw Refusal(status: 413) }
        state = size == 0 ? .trailers(message) : .chunk(message, left: size + 2)
        return nil
    }

    private mutating func take(atMost count: Int) -> Data {
        let taken = Data(buffer.prefix(count))
        buffer.removeFirst(taken.count)
        return taken
    }

    private mutating func takeLine(limit: Int) throws(Refusal) -> String? {
        guard let end = buffer.range(of: Data("\r\n".utf8)) else {
            if buffer.count > limit { throw Refusal(status: 400) }
            return nil
        }
        let line = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
        buffer.removeSubrange(..<end.upperBound)
        return line
    }

    private static func message(head: String) throws(Refusal) -> Message {
        var lines = head.components(separatedBy: "\r\n")
        let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, !words[0].isEmpty, !words[1].isEmpty else { throw Refusal(status: 400) }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw Refusal(status: 505) }
        var headers: [LocalTLSServer.Header] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
                !line[..<colon].contains(where: \.isWhitespace)
            else { throw Refusal(status: 400) }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers.append(.init(String(line[..<colon]), value))
        }
        return Message(method: words[0], target: words[1], isHTTP10: words[2] == "HTTP/1.0", headers: headers)
    }

    private static func contentLength(of message: Message) throws(Refusal) -> Int {
        let values = Set(message.headers.filter { $0.isNamed("Content-Length") }.map(\.value))
        guard let value = values.first else { return 0 }
        guard values.count == 1, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Refusal(status: 400)
        }
        // So many digits that they are no Int: larger than any limit.
        return Int(value) ?? .max
    }
}
