internal import Foundation

/// One connection from its acceptance to its end, on a thread of its own.
struct ServerConnection {
    let number: Int
    let socket: AcceptedSocket
    let core: ServerCore
    private var configuration: LocalTLSServer.Configuration { core.configuration }

    init(number: Int, socket: AcceptedSocket, core: ServerCore) {
        self.number = number
        self.socket = socket
        self.core = core
    }

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
                guard case .bytes(let count) = stream.read(into: &buffer) else { return stream.finish() }
                core.recorder.bytesArrived(buffer[..<count])
                parser.receive(buffer[..<count])
            case .expectsContinue:
                guard meetExpectation(on: stream, &parser) else { return }
            case .request(let message):
                guard answer(message, on: stream) else { return }
            case .refused(let status):
                _ = stream.send(LocalTLSServer.Response(status: status).head(answering: "", closing: true))
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
            return answer(message, on: stream)
        }
    }

    /// Calls the handler and sends what it answers; false when the connection ends with that.
    private func answer(_ message: RequestMessage, on stream: some ByteStream) -> Bool {
        let request = LocalTLSServer.Request(
            method: message.method,
            target: message.target,
            headers: message.headers,
            body: message.body,
            connection: number,
            serverName: stream.serverName
        )
        core.recorder.requestArrived(request)
        guard let handler = core.handler else { return false }
        let writer = ResponseWriter(response: handler(request), message: message, stream: stream)
        switch writer.write() {
        case .keep: return true
        case .close:
            stream.finish()
            if message.isCutOff { socket.linger(seconds: 1) }
        case .reset: socket.resetOnClose()
        case .hold: discardUntilEnd(of: stream)
        case .ended: break
        }
        return false
    }

    /// Says nothing more. What comes is still written down, but for what is not TLS.
    private func discardUntilEnd(of stream: some ByteStream) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while case .bytes(let count) = stream.read(into: &buffer) {
            if core.tls == nil || stream is TLSStream { core.recorder.bytesArrived(buffer[..<count]) }
        }
    }
}
