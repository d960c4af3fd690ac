public import Foundation

extension LocalTLSServer {
    /// An answer, well-formed or not.
    public struct Response: Sendable {
        /// How the end of the body is told.
        public enum Framing: Sendable, Hashable {
            /// By `Content-Length`.
            case contentLength
            /// By chunks of at most so many bytes.
            case chunked(size: Int)
            /// By closing the connection.
            case close
        }

        /// The status code.
        public var status: Int
        /// The words after the status; nil for the usual ones.
        public var reason: String?
        /// The header fields. `Content-Length`, `Transfer-Encoding` and `Connection` are added where they are missing.
        public var headers: [Header]
        /// The body; not sent with 1xx, 204 and 304, nor to `HEAD`.
        public var body: Data
        /// How the end of the body is told.
        public var framing: Framing
        /// What goes wrong; nil for nothing.
        public var fault: Fault?
        /// The port of 127.0.0.1 that bytes pass to and from after the head, as a proxy does for `CONNECT`; nil for none.
        public var tunnelPort: UInt16?

        /// An answer of bytes.
        public init(
            status: Int = 200,
            reason: String? = nil,
            headers: [Header] = [],
            body: Data = Data(),
            framing: Framing = .contentLength,
            fault: Fault? = nil
        ) {
            self.status = status
            self.reason = reason
            self.headers = headers
            self.body = body
            self.framing = framing
            self.fault = fault
        }

        /// An answer of text, `text/plain` in UTF-8.
        public static func text(_ text: String, status: Int = 200, headers: [Header] = []) -> Response {
            let type = Header("Content-Type", "text/plain; charset=utf-8")
            return Response(status: status, headers: [type] + headers, body: Data(text.utf8))
        }

        /// An answer of JSON text.
        public static func json(_ json: String, status: Int = 200, headers: [Header] = []) -> Response {
            Response(
                status: status,
                headers: [Header("Content-Type", "application/json")] + headers,
                body: Data(json.utf8)
            )
        }

        /// A redirect.
        public static func redirect(to location: String, status: Int = 302) -> Response {
            Response(status: status, headers: [Header("Location", location)])
        }

        /// What a proxy answers to `CONNECT`: a connection to a port of 127.0.0.1, whatever host was asked for.
        ///
        /// What passes through is not in the log. Where nobody listens on the port, the answer is 502.
        public static func tunnel(toPort port: UInt16) -> Response {
            var response = Response(reason: "Connection established")
            response.tunnelPort = port
            return response
        }

        /// An answer with nothing but a fault.
        public static func fault(_ fault: Fault) -> Response { Response(fault: fault) }
    }

    /// What goes wrong with an answer.
    public enum Fault: Sendable, Hashable {
        /// Never answer, until the client or the server ends the connection.
        case hold
        /// Answer after so many seconds.
        case delay(seconds: Double)
        /// Send the head at once and the body in small pieces.
        case trickle(bytesPerChunk: Int, every: Double)
        /// Close the connection with a TCP reset.
        case reset
        /// Close the connection without an answer.
        case close
        /// Announce the whole body, send so many bytes of it and close.
        case closeAfter(bytes: Int)
        /// Announce the whole body, send so many bytes of it and hold.
        case holdAfter(bytes: Int)
        /// Send these bytes in place of an answer and close.
        case raw(Data)
    }
}

extension LocalTLSServer.Response {
    /// Whether a body may follow the head (RFC 9110 §6.4.1).
    func hasBody(answering method: String) -> Bool {
        switch status {
        case 100..<200, 204, 304: false
        case 200..<300: method != "HEAD" && method != "CONNECT"
        default: method != "HEAD"
        }
    }

    /// The status line and the header fields, up to the empty line.
    ///
    /// - Parameters:
    ///   - connection: the value of a `Connection` field, where one has to be said.
    func head(answering method: String, connection: String?) -> Data {
        var fields = headers
        func add(_ name: String, _ value: String) {
            if !fields.contains(where: { $0.isNamed(name) }) { fields.append(.init(name, value)) }
        }
        if hasBody(answering: method) || method == "HEAD" && status >= 200 {
            switch framing {
            case .contentLength: add("Content-Length", "\(body.count)")
            case .chunked: add("Transfer-Encoding", "chunked")
            case .close: break
            }
        }
        if let connection { add("Connection", connection) }
        let words = reason ?? Self.words(for: status)
        let lines = ["HTTP/1.1 \(status) \(words)"] + fields.map { "\($0.name): \($0.value)" }
        return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// The body with its framing.
    var framedBody: Data {
        guard case .chunked(let size) = framing else { return body }
        var framed = Data()
        var rest = body[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(max(size, 1))
            framed += Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8)
            rest = rest.dropFirst(chunk.count)
        }
        return framed + Data("0\r\n\r\n".utf8)
    }

    private static func words(for status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 413: "Content Too Large"
        case 417: "Expectation Failed"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}
