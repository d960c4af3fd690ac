internal import Foundation

extension NginxServer {
    /// One request, as nginx saw it.
    package struct LogEntry: Sendable {
        /// The connection's number; requests with the same one shared it.
        package let connection: Int
        /// Which request of its connection this was, counted from 1.
        package let numberOnConnection: Int
        /// `HTTP/1.1` or `HTTP/2.0`.
        package let httpVersion: String
        /// `TLSv1.3`, `TLSv1.2`, or empty for plain HTTP.
        package let tlsVersion: String
        /// Whether the handshake resumed an earlier TLS session.
        package let isSessionReused: Bool
        /// The name that the client asked for by SNI; empty when it did not.
        package let serverName: String
        /// The `Host` or `:authority` that the client sent.
        package let host: String
        package let method: String
        /// Path and query as the client sent them.
        package let target: String
        package let status: Int
        /// Every variable that was logged, by its name.
        package let variables: [String: String]

        static let variableNames = [
            "connection", "connection_requests", "server_protocol", "ssl_protocol", "ssl_session_reused",
            "ssl_server_name", "http_host", "request_method", "request_uri", "status",
        ]

        init(line: Data) throws {
            let variables = try JSONDecoder().decode([String: String].self, from: line)
            self.variables = variables
            func text(_ name: String) -> String { variables[name] ?? "" }
            connection = Int(text("connection")) ?? 0
            numberOnConnection = Int(text("connection_requests")) ?? 0
            httpVersion = text("server_protocol")
            tlsVersion = text("ssl_protocol")
            isSessionReused = text("ssl_session_reused") == "r"
            serverName = text("ssl_server_name")
            host = text("http_host")
            method = text("request_method")
            target = text("request_uri")
            status = Int(text("status")) ?? 0
        }
    }

    /// The requests that have ended, in the order of their ends.
    ///
    /// nginx writes a line after the response is sent: a client may have the response before the line is there.
    package func accessLog() throws -> [LogEntry] {
        let path = directory.path(of: Configuration.accessLog)
        guard let content = FileManager.default.contents(atPath: path) else { return [] }
        return try content.split(separator: UInt8(ascii: "\n")).map { try LogEntry(line: $0) }
    }

    /// The requests that have ended, once there are `count` of them, or whatever there is when the time is up.
    package func accessLog(atLeast count: Int, within seconds: Double = 5) async throws -> [LogEntry] {
        var entries: [LogEntry] = []
        try await eventually(within: seconds) {
            entries = try accessLog()
            return entries.count >= count
        }
        return entries
    }
}
