internal import Foundation

/// Passes bytes between a client and another server until one of them ends.
struct Tunnel<Stream: ByteStream> {
    let stream: Stream
    let upstream: PlainStream

    /// Runs until the end; `first` came from the client with its request.
    func run(startingWith first: Data) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        guard upstream.send(first) else { return stream.finish() }
        while true {
            guard let sent = pass(from: stream, to: upstream, &buffer) else { return upstream.finish() }
            guard let received = pass(from: upstream, to: stream, &buffer) else { return stream.finish() }
            guard sent || received || stream.socket.waitToRead(orFrom: upstream.socket) else { return }
        }
    }

    /// Passes what is there; whether there was something, or nil when one side has ended.
    private func pass(from source: some ByteStream, to destination: some ByteStream, _ buffer: inout [UInt8]) -> Bool? {
        switch source.readAvailable(into: &buffer) {
        case .bytes(let count): destination.send(Data(buffer[..<count])) ? true : nil
        case .nothing: false
        case .ended: nil
        }
    }
}
