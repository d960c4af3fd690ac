internal import Foundation

/// Finds requests in the bytes of a connection (RFC 9112), without any input of its own.
struct RequestParser {
    /// What stands at the front of the bytes.
    enum Event: Equatable {
        case needsMore
        /// A head is complete whose client waits for `100 Continue`; told once.
        case expectsContinue
        case request(RequestMessage)
        /// Not a request, or too large: the status to answer with. Nothing can follow.
        case refused(status: Int)
    }

    static let maximumHeadSize = 256 << 10
    let maximumBodySize: Int
    private var buffer = ReceivedBytes()
    private var state = State.head
    /// The request whose body is being read, and the body so far.
    private var message = RequestMessage(method: "", target: "", isHTTP10: false, headers: [])
    private var body = Data()

    private enum State {
        case head
        /// So many bytes of the body are still to come.
        case body(left: Int)
        case chunkSize
        /// So many bytes of the chunk are still to come, its line end included.
        case chunk(left: Int)
        case trailers
        case refused(Int)
    }

    private struct Refusal: Error { let status: Int }

    init(maximumBodySize: Int) { self.maximumBodySize = maximumBodySize }

    /// Takes bytes as they came.
    mutating func receive(_ bytes: some Collection<UInt8>) { buffer.append(bytes) }

    /// The request whose head came last, without its body; nothing can follow then.
    mutating func abandonBody() -> RequestMessage {
        state = .refused(400)
        body = Data()
        return message
    }

    /// What has come and belongs to no request yet.
    mutating func takeRest() -> Data { Data(buffer.take(atMost: .max)) }

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
        case .refused(let status): throw Refusal(status: status)
        case .head: return try readHead()
        case .body(let left): return readBody(left)
        case .chunkSize: return try readChunkSize()
        case .chunk(let left): return try readChunk(left)
        case .trailers:
            guard let line = buffer.take(upTo: "\r\n") else { return try waitForMore(limit: Self.maximumHeadSize) }
            return line.isEmpty ? finish() : nil
        }
    }

    private mutating func readHead() throws(Refusal) -> Event? {
        // Empty lines before a request are passed over (RFC 9112 §2.2).
        while buffer.hasPrefix("\r\n") { _ = buffer.take(atMost: 2) }
        guard let head = buffer.take(upTo: "\r\n\r\n") else { return try waitForMore(limit: Self.maximumHeadSize) }
        guard head.count <= Self.maximumHeadSize else { throw Refusal(status: 431) }
        do {
            message = try RequestMessage(head: String(decoding: head, as: UTF8.self))
        } catch {
            throw Refusal(status: error.status)
        }
        switch message.framing {
        case .none: return finish()
        case .invalid: throw Refusal(status: 400)
        case .length(let length):
            guard length <= maximumBodySize else { throw Refusal(status: 413) }
            state = .body(left: length)
        case .chunked: state = .chunkSize
        }
        return message.has("100-continue", in: "Expect") ? .expectsContinue : nil
    }

    private mutating func readBody(_ left: Int) -> Event {
        let taken = buffer.take(atMost: left)
        body.append(contentsOf: taken)
        state = .body(left: left - taken.count)
        return left == taken.count ? finish() : .needsMore
    }

    private mutating func readChunkSize() throws(Refusal) -> Event? {
        guard let line = buffer.take(upTo: "\r\n") else { return try waitForMore(limit: 1024) }
        let digits = String(decoding: line.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        guard let size = Int(digits.trimmingCharacters(in: .whitespaces), radix: 16), size >= 0 else {
            throw Refusal(status: 400)
        }
        guard size <= maximumBodySize - body.count else { throw Refusal(status: 413) }
        state = size == 0 ? .trailers : .chunk(left: size + 2)
        return nil
    }

    private mutating func readChunk(_ left: Int) throws(Refusal) -> Event? {
        let content = buffer.take(atMost: left - 2)
        body.append(contentsOf: content)
        guard content.count == left - 2 else {
            state = .chunk(left: left - content.count)
            return .needsMore
        }
        state = .chunk(left: 2)
        guard buffer.count >= 2 else { return .needsMore }
        guard buffer.hasPrefix("\r\n") else { throw Refusal(status: 400) }
        _ = buffer.take(atMost: 2)
        state = .chunkSize
        return nil
    }

    private mutating func finish() -> Event {
        state = .head
        message.body = body
        body = Data()
        return .request(message)
    }

    private func waitForMore(limit: Int) throws(Refusal) -> Event {
        guard buffer.count <= limit else { throw Refusal(status: 431) }
        return .needsMore
    }
}
