import Foundation
import Glibc
import LinchpinTesting

/// A TCP connection to a server of plain HTTP, byte by byte.
final class PlainClient {
    private let number: Int32
    /// Kept, since a server stops when it is let go.
    private let server: LocalTLSServer?

    struct Failure: Error { let code: Int32 }

    /// What a read found.
    enum Arrival: Equatable {
        case bytes(String)
        case end
        case reset
        case nothing
    }

    convenience init(_ server: LocalTLSServer) throws { try self.init(port: server.port, keeping: server) }

    init(port: UInt16, keeping server: LocalTLSServer? = nil) throws {
        self.server = server
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw Failure(code: errno) }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let result = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(code: errno) }
    }

    deinit { close(number) }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure(code: errno)
        }
    }

    /// Says that nothing more comes.
    func finish() { shutdown(number, Int32(SHUT_WR)) }

    /// Waits for bytes, or looks whether there are some.
    func receive(waiting: Bool = true) -> Arrival {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(number, &buffer, buffer.count, waiting ? 0 : Int32(MSG_DONTWAIT))
        if count > 0 { return .bytes(String(decoding: buffer[..<count], as: UTF8.self)) }
        if count == 0 { return .end }
        return errno == ECONNRESET ? .reset : .nothing
    }

    /// Everything up to the end of the connection.
    func receiveAll() -> String {
        var text = ""
        while case .bytes(let more) = receive() { text += more }
        return text
    }

    /// Bytes up to a mark.
    func receive(upTo mark: String) -> String {
        var text = ""
        while !text.contains(mark), case .bytes(let more) = receive() { text += more }
        return text
    }
}
