internal import Foundation
internal import Glibc

extension NginxServer {
    /// The files that nginx reads.
    struct Configuration {
        let directory: TemporaryDirectory
        let port: Int
        let identity: Identity?
        let version: HTTPVersion
        let keepAlive: Int
        let body: String
        let logging: [String]
        let serverConfiguration: String
        let httpConfiguration: String

        static let pidFile = "pid"
        static let statusSocket = "status"
        static let accessLog = "access.log"

        /// Writes them and returns the path of the first.
        func write() throws -> String {
            if let identity {
                try directory.write(identity.certificateChain, to: "chain.pem")
                try directory.write(identity.privateKey, to: "key.pem")
            }
            return try directory.write(text, to: "nginx.conf")
        }

        /// One worker under a master: without a master nginx 1.22 does not survive a socket that was handed to it.
        private var text: String {
            """
            \(geteuid() == 0 ? "user root;" : "")
            daemon off;
            worker_processes 1;
            pid \(directory.path(of: Self.pidFile));
            error_log stderr info;
            events { worker_connections 4096; }
            http {
                log_format entry escape=json '\(logFormat)';
                access_log \(directory.path(of: Self.accessLog)) entry;
                \(temporaryPaths)
                default_type text/plain;
                server_tokens off;
                ssl_protocols TLSv1.2 TLSv1.3;
                keepalive_timeout \(keepAlive)s;
                keepalive_requests 1000000;
                server {
                    listen 127.0.0.1:\(port)\(identity == nil ? "" : " ssl")\(speaksHTTP2 ? " http2" : "");
                    \(tls)
                    location / { return 200 "\(body)"; }
                    \(serverConfiguration)
                }
                server {
                    listen unix:\(directory.path(of: Self.statusSocket));
                    access_log off;
                    location / { stub_status; }
                }
                \(httpConfiguration)
            }
            """
        }

        private var speaksHTTP2: Bool { identity != nil && version == .http2 }

        private var tls: String {
            guard identity != nil else { return "" }
            return """
                ssl_certificate \(directory.path(of: "chain.pem"));
                ssl_certificate_key \(directory.path(of: "key.pem"));
                """
        }

        /// Debian's nginx would use folders that only root may write to.
        private var temporaryPaths: String {
            ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map { "\($0)_temp_path \(directory.path(of: $0));" }
                .joined(separator: " ")
        }

        private var logFormat: String {
            let variables = LogEntry.variableNames + logging
            return "{" + variables.map { "\"\($0)\":\"$\($0)\"" }.joined(separator: ",") + "}"
        }
    }
}
