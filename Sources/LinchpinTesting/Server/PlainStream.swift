internal import Foundation
internal import Glibc

/// A connection without TLS.
final class PlainStream: ByteStream {
    let socket: ConnectionSocket
    let serverName: String? = nil

    init(_ socket: ConnectionSocket) { self.socket = socket }

    func readAvailable(into buffer: inout [UInt8]) -> ReadOutcome {
        while true {
            let count = recv(socket.number, &buffer, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count < 0, errno == EAGAIN { return .nothing }
            guard count < 0, errno == EINTR else { return .ended }
        }
    }

    func write(_ bytes: Data) -> Int? {
        while true {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN && socket.waitToWrite() else { return nil }
        }
    }

    /// Waits for the first bytes and throws them away.
    func discardSome() {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        _ = read(into: &buffer)
    }

    func finish() { socket.finishWriting() }
}
