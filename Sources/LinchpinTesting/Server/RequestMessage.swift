internal import Foundation

/// A request's parts, as they were sent.
struct RequestMessage: Equatable {
    let method: String
    let target: String
    let isHTTP10: Bool
    let headers: [LocalTLSServer.Header]
    var body = Data()
    /// Whether it is answered before its body was read; nothing can follow it then.
    var isCutOff = false

    /// How the end of the body is told (RFC 9112 §6.3).
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
        case invalid
    }

    /// Whether a field of that name has that token in its list.
    func has(_ token: String, in name: String) -> Bool {
        headers.filter { $0.isNamed(name) }
            .flatMap { $0.value.lowercased().split(separator: ",") }
            .contains { $0.trimmingCharacters(in: .whitespaces) == token }
    }

    /// Whether the client wants the connection kept (RFC 9112 §9.3), and it can be.
    var keepsAlive: Bool {
        !isCutOff && (isHTTP10 ? has("keep-alive", in: "Connection") : !has("close", in: "Connection"))
    }

    var framing: Framing {
        if has("chunked", in: "Transfer-Encoding") { return .chunked }
        let values = Set(headers.filter { $0.isNamed("Content-Length") }.map(\.value))
        guard let value = values.first else { return .none }
        guard values.count == 1, !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return .invalid
        }
        // So many digits that they are no Int: larger than any limit.
        let length = Int(value) ?? .max
        return length == 0 ? .none : .length(length)
    }
}

extension RequestMessage {
    /// Why a head is none, as the status to answer with.
    struct Malformed: Error { let status: Int }

    /// Reads a request line and header fields, without the empty line.
    init(head: String) throws(Malformed) {
        var lines = head.components(separatedBy: "\r\n")
        let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, !words[0].isEmpty, !words[1].isEmpty else { throw Malformed(status: 400) }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw Malformed(status: 505) }
        var headers: [LocalTLSServer.Header] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
                !line[..<colon].contains(where: \.isWhitespace)
            else { throw Malformed(status: 400) }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers.append(.init(String(line[..<colon]), value))
        }
        self.init(method: words[0], target: words[1], isHTTP10: words[2] == "HTTP/1.0", headers: headers)
    }
}
