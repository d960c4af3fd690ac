internal import Foundation
internal import Glibc

/// httpbin, a site that answers with what it was asked, behind an nginx that speaks TLS on 127.0.0.1.
///
/// httpbin listens on a Unix socket. nginx hands bodies on as they come, in both directions.
package final class HTTPBinServer: Sendable {
    /// What clients talk to; its log has their requests.
    package let nginx: NginxServer
    private let process: ChildProcess

    /// The port that it listens on.
    package var port: Int { nginx.port }

    /// Starts httpbin, which takes a second or two, and returns when it takes requests.
    ///
    /// - Parameter identity: nginx's certificates and key.
    package static func start(identity: NginxServer.Identity) async throws -> HTTPBinServer {
        let directory = try TemporaryDirectory()
        let socket = directory.path(of: "httpbin")
        for python in pythons where access(python, X_OK) == 0 {
            let process = try ChildProcess(python, arguments(socket, directory), in: directory)
            let isDecided = try await eventually(within: 60) {
                FileManager.default.fileExists(atPath: socket) || process.ending != nil
            }
            if isDecided, process.ending == nil {
                let nginx = try await NginxServer.start(
                    identity: identity,
                    serverConfiguration: configuration,
                    httpConfiguration: "upstream httpbin { server unix:\(socket); keepalive 32; }"
                )
                return HTTPBinServer(nginx: nginx, process: process)
            }
            let output = process.output
            guard output.contains("No module named") else { throw Failure(output: output) }
        }
        throw Executable.Missing(name: "httpbin")
    }

    private init(nginx: NginxServer, process: ChildProcess) {
        self.nginx = nginx
        self.process = process
    }

    /// Stops both servers. Does nothing the second time.
    package func stop() {
        nginx.stop()
        process.terminate()
    }

    /// The Pythons that may have it: the environment that scripts/setup makes, and the one of Debian's package.
    private static var pythons: [String] {
        let environment = ProcessInfo.processInfo.environment
        let cache = environment["XDG_CACHE_HOME"] ?? "\(environment["HOME"] ?? "")/.cache"
        return ["\(cache)/linchpin/httpbin/bin/python3", "/usr/bin/python3"]
    }

    /// The site is loaded before the socket is made, so that the socket says that all is well.
    private static func arguments(_ socket: String, _ directory: TemporaryDirectory) -> [String] {
        [
            "-m", "gunicorn", "--preload", "--bind", "unix:\(socket)", "--worker-class", "gthread", "--threads", "32",
            "--workers", "1", "--worker-tmp-dir", directory.path, "--timeout", "120", "--keep-alive", "120",
            "httpbin:app",
        ]
    }

    /// Connections to httpbin are kept: one that is closed under a body that nobody has read takes the answer with it.
    private static let configuration = """
        client_max_body_size 100m;
        large_client_header_buffers 4 32k;
        location ~ ^/ {
            proxy_pass http://httpbin;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-Proto https;
            proxy_buffering off;
            proxy_request_buffering off;
        }
        """

    /// An httpbin that did not start; what it wrote says why.
    package struct Failure: Error, CustomStringConvertible {
        let output: String
        package var description: String { "httpbin did not start:\n\(output)" }
    }
}
