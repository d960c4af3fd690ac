import Foundation
import LinchpinTesting

/// The peer: one nginx process on the server's processor, with a port for each kind of row.
final class Nginx {
    let directory: URL
    /// The root above the server's certificate.
    let givenAnchor: String
    /// The same after the roots of the system.
    let stockBundle: String
    /// Connections are kept; HTTP/2 where a client offers it.
    let kept: Int
    /// Every connection ends with its answer, and no TLS session can be resumed.
    let full: Int
    /// Every connection ends with its answer, and every TLS session can be resumed.
    let resumed: Int
    /// The size of the file `/big`.
    static let bigSize = 1 << 30

    private let child: Child

    init() throws {
        let parent = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        directory = URL(filePath: parent).appending(path: "linchpin-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory.appending(path: "files"),
            withIntermediateDirectories: true
        )
        let root = try LocalCertificateAuthority()
        let intermediate = try root.intermediate()
        try intermediate.issue([.dns("localhost")]).write(to: directory.path, name: "server")
        givenAnchor = try root.writeCertificate(to: directory.path, name: "root")
        stockBundle = directory.appending(path: "stock.pem").path
        let system = try String(contentsOfFile: "/etc/ssl/certs/ca-certificates.crt", encoding: .utf8)
        try (system + root.certificate.pem).write(toFile: stockBundle, atomically: true, encoding: .utf8)
        let ports = try Self.freePorts(3)
        (kept, full, resumed) = (ports[0], ports[1], ports[2])
        let big = directory.appending(path: "files/big").path
        guard FileManager.default.createFile(atPath: big, contents: nil), truncate(big, Self.bigSize) == 0 else {
            throw BenchError("no room for a file of 1 GiB in \(parent)")
        }
        let configuration = directory.appending(path: "nginx.conf").path
        try Self.configuration(directory.path, ports).write(toFile: configuration, atomically: true, encoding: .utf8)
        child = try Child(
            ["env", "PATH=\(ProcessInfo.processInfo.environment["PATH"] ?? ""):/usr/sbin", "nginx"]
                + ["-e", "stderr", "-p", directory.path, "-c", configuration],
            on: .server
        )
        try waitUntilUp()
    }

    func stop() {
        child.stop()
        try? FileManager.default.removeItem(at: directory)
    }

    private func waitUntilUp() throws {
        let end = ContinuousClock.now + .seconds(20)
        while !Self.isListened(to: kept) {
            guard ContinuousClock.now < end else { throw BenchError("nginx did not start") }
            usleep(20_000)
        }
    }

    private static func configuration(_ directory: String, _ ports: [Int]) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(directory)/\($0);" }.joined(separator: " ")
        let small = String(repeating: "0123456789abcdef", count: 64)
        func server(_ port: Int, _ settings: String) -> String {
            """
            server {
                listen 127.0.0.1:\(port) ssl http2 backlog=4096;
                \(settings)
                location = /small { return 200 "\(small)"; }
                location / { root \(directory)/files; dav_methods PUT; }
            }
            """
        }
        return """
            \(geteuid() == 0 ? "user root;" : "")
            daemon off;
            master_process off;
            pid \(directory)/pid;
            error_log stderr error;
            events { worker_connections 4096; }
            http {
                access_log off;
                server_tokens off;
                default_type application/octet-stream;
                \(temporary)
                client_max_body_size 0;
                ssl_certificate \(directory)/server.pem;
                ssl_certificate_key \(directory)/server.key;
                ssl_protocols TLSv1.2 TLSv1.3;
                keepalive_requests 1000000000;
                http2_max_concurrent_streams 256;
                \(server(ports[0], "keepalive_timeout 600s;"))
                \(server(ports[1], "keepalive_timeout 0; ssl_session_tickets off; ssl_session_cache off;"))
                \(server(ports[2], "keepalive_timeout 0; ssl_session_tickets on; ssl_session_cache shared:all:10m;"))
            }
            """
    }
}
