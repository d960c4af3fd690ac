internal import Foundation

/// The bytes of one connection, decrypted; used by one thread.
protocol ByteStream: AnyObject {
    /// The name that the client asked for.
    var serverName: String? { get }

    /// Reads some of the bytes that are there.
    func readAvailable(into buffer: inout [UInt8]) -> ReadOutcome

    /// Sends some of the bytes and says how many; nil when the connection or the server has ended.
    func write(_ bytes: Data) -> Int?

    /// Tells the client that nothing more comes.
    func finish()

    /// What is waited on beside the bytes.
    var socket: ConnectionSocket { get }
}

/// What became of a read.
enum ReadOutcome {
    case bytes(Int)
    /// There are none yet.
    case nothing
    /// The client closed or broke the connection, or the server stops.
    case ended
}

extension ByteStream {
    /// Waits for bytes and reads some; nil when the client closed or broke the connection, or the server stops.
    func read(into buffer: inout [UInt8]) -> Int? {
        while true {
            switch readAvailable(into: &buffer) {
            case .bytes(let count): return count
            case .nothing: guard socket.waitToRead() else { return nil }
            case .ended: return nil
            }
        }
    }

    /// Sends all of the bytes; false when the connection or the server has ended.
    func send(_ bytes: Data) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let count = write(rest) else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
