public import Foundation

extension LocalTLSServer {
    /// An HTTP request as it reached the server.
    public struct Request: Sendable {
        /// The method, such as `GET`.
        public let method: String
        /// The request target as it was sent: path and query, or what `CONNECT` and proxies get.
        public let target: String
        /// The header fields in their order and spelling.
        public let headers: [Header]
        /// The body, without its framing.
        public internal(set) var body: Data
        /// The number of the connection that it came on, counted from 1.
        public let connection: Int
        /// The name that the client asked for in its TLS handshake (SNI).
        public let serverName: String?

        /// The target up to the first `?`.
        public var path: String { String(target.prefix { $0 != "?" }) }

        /// What follows the first `?`; nil where there is none.
        public var query: String? {
            target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
        }

        /// The first field of that name, in any case; nil where there is none.
        public func header(_ name: String) -> String? { headers.first { $0.isNamed(name) }?.value }

        /// Every field of that name, in any case.
        public func headers(_ name: String) -> [String] { headers.filter { $0.isNamed(name) }.map(\.value) }
    }

    /// A header field.
    public struct Header: Sendable, Hashable {
        /// The name as it was sent.
        public let name: String
        /// The value without the white space around it.
        public let value: String

        /// Joins a name and a value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// Whether the field has that name, in any case.
        public func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
    }
}

extension LocalTLSServer.Request: CustomStringConvertible {
    /// Method and target.
    public var description: String { "\(method) \(target) (\(body.count) bytes, connection \(connection))" }
}
