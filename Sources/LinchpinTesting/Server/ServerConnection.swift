internal import Foundation

/// One connection from its acceptance to its end, on a thread of its own.
struct ServerConnection {
    let number: Int
    let socket: ConnectionSocket
    let core: ServerCore
    private var configuration: LocalTLSServer.Configuration { core.configuration }

    /// Serves the connection; it is closed when the last reference to the socket goes.
    func run() {
        let plain = PlainStream(socket)
        switch core.connectionFault {
        case .holdHandshake: return discardUntilEnd(of: plain)
        case .close: return plain.discardSome()
        case .reset:
            plain.discardSome()
            return socket.resetOnClose()
        case .raw(let bytes):
            if plain.send(bytes) { socket.linger(seconds: 1) }
            return
        case nil: break
        }
        guard let tls = core.tls, let identity = core.identity else { return serve(plain) }
        guard let stream = TLSStream(socket, context: tls, presenting: identity) else { return }
        switch stream.accept() {
        case .stopped: return
        case .failed(let words):
            core.recorder.handshakeEnded(stream.handshake(number: number, failure: words))
            // Whatever the client sent meanwhile must not turn the alert that it is due into a reset.
            socket.linger(seconds: 1)
        case .completed:
            core.recorder.handshakeEnded(stream.handshake(number: number, failure: nil))
            let alert = stream.alertReceived
            serve(stream)
            if let words = stream.alertReceived, words != alert {
                core.recorder.alertArrived(words, onConnection: number)
            }
        }
    }

    /// Reads requests and answers them until one side has enough.
    private func serve(_ stream: some ByteStream) {
        var parser = RequestParser(maximumBodySize: configuration.maximumBodySize)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            switch parser.next() {
            case .needsMore:
                guard let count = stream.read(into: &buffer) else { return stream.finish() }
                core.recorder.bytesArrived(buffer[..<count])
                parser.receive(buffer[..<count])
            case .expectsContinue:
                guard meetExpectation(on: stream, &parser) else { return }
            case .request(let message):
                switch answer(message, on: stream) {
                case .keep: continue
                case .end: return
                case .tunnel(let upstream):
                    return Tunnel(stream: stream, upstream: upstream).run(startingWith: parser.takeRest())
                }
            case .refused(let status):
                _ = stream.send(LocalTLSServer.Response(status: status).head(answering: "", connection: "close"))
                stream.finish()
                return socket.linger(seconds: 1)
            }
        }
    }

    /// Says `100 Continue` or what the configuration wants in its place; false when the connection ends with that.
    private func meetExpectation(on stream: some ByteStream, _ parser: inout RequestParser) -> Bool {
        switch configuration.expectation {
        case .continue: return stream.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        case .ignore: return true
        case .handle:
            var message = parser.abandonBody()
            message.isCutOff = true
            if case .keep = answer(message, on: stream) { return true }
            return false
        }
    }

    /// What becomes of the connection after an answer.
    private enum Outcome {
        case keep, end
        case tunnel(PlainStream)
    }

    /// Calls the handler and sends what it answers.
    private func answer(_ message: RequestMessage, on stream: some ByteStream) -> Outcome {
        let request = LocalTLSServer.Request(
            method: message.method,
            target: message.target,
            headers: message.headers,
            body: message.body,
            connection: number,
            serverName: stream.serverName
        )
        core.recorder.requestArrived(request)
        guard let handler = core.handler else { return .end }
        var response = handler(request)
        let upstream = response.tunnelPort.flatMap { socket.connecting(toPort: $0) }.map { PlainStream($0) }
        if response.tunnelPort != nil, upstream == nil { response = LocalTLSServer.Response(status: 502) }
        switch ResponseWriter(response: response, message: message, stream: stream).write() {
        case .keep: return upstream.map { .tunnel($0) } ?? .keep
        case .close:
            stream.finish()
            if message.isCutOff { socket.linger(seconds: 1) }
        case .reset: socket.resetOnClose()
        case .hold: discardUntilEnd(of: stream)
        case .ended: break
        }
        return .end
    }

    /// Says nothing more. What comes is still written down, but for what is not TLS.
    private func discardUntilEnd(of stream: some ByteStream) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while let count = stream.read(into: &buffer) {
            if core.tls == nil || stream is TLSStream { core.recorder.bytesArrived(buffer[..<count]) }
        }
    }
}
