internal import Foundation

/// Sends one response with its fault.
struct ResponseWriter {
    let response: LocalTLSServer.Response
    let message: RequestMessage
    let stream: any ByteStream

    /// What becomes of the connection afterwards.
    enum Outcome { case keep, close, reset, hold, ended }

    func write() -> Outcome {
        let end: Outcome = keepsAlive ? .keep : .close
        switch response.fault {
        case nil: return stream.send(head + body) ? end : .ended
        case .hold: return .hold
        case .delay(let seconds):
            guard stream.socket.pause(seconds: seconds) else { return .ended }
            return stream.send(head + body) ? end : .ended
        case .trickle(let count, let seconds): return trickle(count, seconds) ? end : .ended
        case .reset: return .reset
        case .close: return .close
        case .closeAfter(let count): return stream.send(head + body.prefix(max(count, 0))) ? .close : .ended
        case .holdAfter(let count): return stream.send(head + body.prefix(max(count, 0))) ? .hold : .ended
        case .raw(let bytes): return stream.send(bytes) ? .close : .ended
        }
    }

    private var keepsAlive: Bool {
        message.keepsAlive && response.framing != .close
            && !response.headers.contains { $0.isNamed("Connection") && $0.value.lowercased() == "close" }
    }

    private var head: Data {
        // HTTP/1.0 closes unless it is told otherwise, HTTP/1.1 the other way round (RFC 9112 §9.3).
        let connection = keepsAlive ? (message.isHTTP10 ? "keep-alive" : nil) : "close"
        return response.head(answering: message.method, connection: connection)
    }

    private var body: Data { response.hasBody(answering: message.method) ? response.framedBody : Data() }

    private func trickle(_ count: Int, _ seconds: Double) -> Bool {
        guard stream.send(head) else { return false }
        var rest = body[...]
        while !rest.isEmpty {
            guard stream.socket.pause(seconds: seconds), stream.send(Data(rest.prefix(max(count, 1)))) else {
                return false
            }
            rest = rest.dropFirst(max(count, 1))
        }
        return true
    }
}
