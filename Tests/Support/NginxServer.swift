internal import Foundation
internal import Synchronization

/// A real nginx for one test, on 127.0.0.1 and a port that the kernel chose.
///
/// ```swift
/// let server = try await NginxServer.start(identity: .init(certificateChain: chainPEM, privateKey: keyPEM))
/// // … requests to https://localhost:\(server.port)/
/// #expect(try await server.accessLog(atLeast: 2).map(\.connection).count == 2)
/// ```
package final class NginxServer: Sendable {
    /// A certificate chain, the server's own first, and its key, both PEM.
    package struct Identity: Sendable {
        let certificateChain: String
        let privateKey: String

        package init(certificateChain: String, privateKey: String) {
            self.certificateChain = certificateChain
            self.privateKey = privateKey
        }
    }

    /// What the server speaks.
    package enum HTTPVersion: Sendable, CaseIterable {
        case http1
        /// HTTP/2 where the client offers it by ALPN, else HTTP/1.1.
        case http2

        /// What ``LogEntry/httpVersion`` says of it.
        package var name: String { self == .http1 ? "HTTP/1.1" : "HTTP/2.0" }
    }

    /// The port that it listens on.
    package let port: Int
    private let process: ChildProcess
    let directory: TemporaryDirectory
    private let statusRequests = Mutex(0)

    /// Starts a server and returns when it takes connections.
    ///
    /// - Parameters:
    ///   - identity: its certificates and key; nil for plain HTTP.
    ///   - version: what it speaks over TLS.
    ///   - keepAlive: after how many idle seconds it closes a connection; 0 closes after every response.
    ///   - body: what it answers under `/`.
    ///   - logging: nginx's variables, such as `http_authorization`, that ``LogEntry/variables`` is to hold.
    ///   - serverConfiguration: more directives for the `server` block, such as other locations.
    ///   - httpConfiguration: more directives for the `http` block, such as other servers.
    package static func start(
        identity: Identity?,
        version: HTTPVersion = .http2,
        keepAlive: Int = 75,
        body: String = "hello\\n",
        logging: [String] = [],
        serverConfiguration: String = "",
        httpConfiguration: String = ""
    ) async throws -> NginxServer {
        let directory = try TemporaryDirectory()
        let socket = try ListeningSocket()
        let configuration = Configuration(
            directory: directory,
            port: socket.port,
            identity: identity,
            version: version,
            keepAlive: keepAlive,
            body: body,
            logging: logging,
            serverConfiguration: serverConfiguration,
            httpConfiguration: httpConfiguration
        )
        let process = try ChildProcess(
            "nginx",
            ["-e", "stderr", "-p", directory.path, "-c", try configuration.write()],
            // Listening sockets that nginx takes over instead of opening its own, as in an upgrade of its binary.
            environment: ["NGINX": "3;"],
            descriptorThree: socket.descriptor,
            in: directory
        )
        let server = NginxServer(port: socket.port, process: process, directory: directory)
        try await server.waitUntilUp()
        return server
    }

    private init(port: Int, process: ChildProcess, directory: TemporaryDirectory) {
        self.port = port
        self.process = process
        self.directory = directory
    }

    /// Stops the server; its connections are reset. Does nothing the second time.
    package func stop() { process.terminate() }

    /// What it has written to its error log.
    package var errorLog: String { process.output }

    /// nginx writes its process id when everything is read and opened.
    private func waitUntilUp() async throws {
        let file = directory.path(of: Configuration.pidFile)
        let decided = try await eventually(within: 10) {
            FileManager.default.fileExists(atPath: file) || process.ending != nil
        }
        guard decided, process.ending == nil else { throw Failure(output: process.output) }
    }

    /// A server that did not start; what it wrote says why.
    package struct Failure: Error, CustomStringConvertible {
        let output: String
        package var description: String { "nginx did not start:\n\(output)" }
    }
}

extension NginxServer {
    /// nginx's own counters (ngx_http_stub_status_module), without the connections that asked for them.
    package struct Status: Hashable, Sendable {
        /// Connections that are open now.
        package let active: Int
        /// Connections since the start.
        package let accepted: Int
        /// Requests since the start.
        package let requests: Int
    }

    /// Asks for the counters, over a Unix socket.
    package func status() throws -> Status {
        try statusRequests.withLock { earlier in
            let answer = try UnixSocket.exchange(
                "GET / HTTP/1.0\r\n\r\n",
                at: directory.path(of: Configuration.statusSocket)
            )
            let expression = /Active connections: (\d+)\s+server accepts handled requests\s+(\d+) \d+ (\d+)/
            guard let match = answer.firstMatch(of: expression), let active = Int(match.1),
                let accepted = Int(match.2), let requests = Int(match.3)
            else { throw Failure(output: "no counters in \(answer)") }
            earlier += 1
            return Status(active: active - 1, accepted: accepted - earlier, requests: requests - earlier)
        }
    }
}
