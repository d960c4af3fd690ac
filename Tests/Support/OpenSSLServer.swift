internal import Foundation

/// A real `openssl s_server` for one test, on 127.0.0.1 and a port that the kernel chose.
///
/// It serves one connection at a time and closes it after one response.
package final class OpenSSLServer: Sendable {
    /// What it does with a connection.
    package enum Service: Sendable {
        /// Answers every request with a page about the connection.
        case page
        /// Sends every line back with its characters reversed; not HTTP.
        case reversedLines
    }

    /// The port that it listens on.
    package let port: Int
    private let process: ChildProcess

    /// Starts a server and returns when it takes connections.
    ///
    /// - Parameters:
    ///   - certificateChain: PEM, the server's own certificate first; the rest is sent as it is.
    ///   - privateKey: the key of the first certificate, PEM.
    ///   - service: what it does with a connection.
    ///   - arguments: more options of s_server, such as `-tls1_2` or `-no_ticket`.
    package static func start(
        certificateChain: String,
        privateKey: String,
        service: Service = .page,
        arguments: [String] = []
    ) async throws -> OpenSSLServer {
        let directory = try TemporaryDirectory()
        let end = "-----END CERTIFICATE-----"
        let leafEnd = certificateChain.range(of: end)?.upperBound ?? certificateChain.endIndex
        var words = [
            "s_server", "-accept", "127.0.0.1:0",
            "-cert", try directory.write(String(certificateChain[..<leafEnd]) + "\n", to: "leaf.pem"),
            "-key", try directory.write(privateKey, to: "key.pem"),
        ]
        let others = String(certificateChain[leafEnd...])
        if others.contains(end) {
            words += ["-cert_chain", try directory.write(others, to: "chain.pem")]
        }
        switch service {
        case .page: words.append("-www")
        case .reversedLines: words.append("-rev")
        }
        let process = try ChildProcess("openssl", words + arguments, in: directory)
        guard let line = try await process.firstLine(matching: /^ACCEPT .*:(\d+)/), let port = Int(line.1) else {
            throw Failure(output: process.output)
        }
        return OpenSSLServer(port: port, process: process)
    }

    private init(port: Int, process: ChildProcess) {
        self.port = port
        self.process = process
    }

    /// Stops the server. Does nothing the second time.
    package func stop() { process.terminate() }

    /// What it has written, such as the errors of handshakes.
    package var output: String { process.output }

    /// A server that did not start; what it wrote says why.
    package struct Failure: Error, CustomStringConvertible {
        let output: String
        package var description: String { "openssl s_server did not start:\n\(output)" }
    }
}
