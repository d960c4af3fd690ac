import Foundation
import LinchpinTestSupport
import Testing

/// The servers, with the `openssl` tool and curl's library left out: `openssl s_client` is the other end.
@Suite struct ServerTests {
    /// A self-signed certificate and its key, made by the `openssl` tool.
    private struct Files {
        let directory: TemporaryDirectory
        let certificate: String
        let key: String

        init() async throws {
            directory = try TemporaryDirectory()
            let words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost"
            try await ChildProcess.run(
                "openssl",
                words.split(separator: " ").map(String.init) + [
                    "-addext", "subjectAltName=DNS:localhost",
                    "-keyout", directory.path(of: "key"), "-out", directory.path(of: "certificate"),
                ]
            )
            certificate = try String(contentsOfFile: directory.path(of: "certificate"), encoding: .utf8)
            key = try String(contentsOfFile: directory.path(of: "key"), encoding: .utf8)
        }

        /// What one GET over a verified connection brings; every request asks the server to close.
        func get(_ target: String, port: Int, _ arguments: String = "") async throws -> String {
            let request = try directory.write(
                "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                to: "request-\(UUID())"
            )
            let client = "openssl s_client -quiet -verify_return_error -CAfile \(directory.path(of: "certificate"))"
            return try await ChildProcess.run(
                "sh",
                ["-c", "\(client) -connect 127.0.0.1:\(port) -servername localhost \(arguments) < \(request)"]
            )
        }
    }

    @Test func `nginx answers over TLS and logs what it saw`() async throws {
        let files = try await Files()
        let server = try await NginxServer.start(
            identity: .init(certificateChain: files.certificate, privateKey: files.key),
            logging: ["http_authorization"],
            serverConfiguration: #"location /teapot { return 418 "short\n"; }"#
        )
        #expect(try await files.get("/", port: server.port).hasSuffix("\r\n\r\nhello\n"))
        #expect(try await files.get("/teapot?a=b", port: server.port, "-tls1_2").contains("HTTP/1.1 418"))
        let log = try await server.accessLog(atLeast: 2)
        try #require(log.count == 2)
        #expect(log.map(\.target) == ["/", "/teapot?a=b"])
        #expect(log.map(\.status) == [200, 418])
        #expect(log.map(\.tlsVersion) == ["TLSv1.3", "TLSv1.2"])
        #expect(log.map(\.serverName) == ["localhost", "localhost"])
        #expect(log[0].connection != log[1].connection)
        #expect(log[0].httpVersion == "HTTP/1.1" && log[0].method == "GET" && log[0].host == "localhost")
        #expect(log[0].variables["http_authorization"] == "")
        #expect(try await eventually { try server.status().active == 0 })
        let status = try server.status()
        #expect(status.accepted == 2 && status.requests == 2)
        server.stop()
    }

    @Test(arguments: [(NginxServer.HTTPVersion.http2, "h2"), (NginxServer.HTTPVersion.http1, "http/1.1")])
    func `nginx offers HTTP/2 when it is told to`(version: NginxServer.HTTPVersion, chosen: String) async throws {
        let files = try await Files()
        let server = try await NginxServer.start(
            identity: .init(certificateChain: files.certificate, privateKey: files.key),
            version: version
        )
        let client = "openssl s_client -alpn h2,http/1.1 -connect 127.0.0.1:\(server.port) < /dev/null"
        #expect(try await ChildProcess.run("sh", ["-c", client]).contains("ALPN protocol: \(chosen)\n"))
    }

    @Test func `nginx that cannot start says why`() async throws {
        let error = await #expect(throws: NginxServer.Failure.self) {
            try await NginxServer.start(identity: nil, serverConfiguration: "no_such_directive;")
        }
        #expect("\(try #require(error))".contains("no_such_directive"))
    }

    @Test func `a stopped nginx refuses connections`() async throws {
        let server = try await NginxServer.start(identity: nil)
        let probe = ["-c", "exec 3<>/dev/tcp/127.0.0.1/\(server.port)"]
        try await ChildProcess.run("bash", probe)
        server.stop()
        await #expect(throws: ChildProcess.Unsuccessful.self) { try await ChildProcess.run("bash", probe) }
    }

    @Test func `s_server answers over TLS with the arguments that it was given`() async throws {
        let files = try await Files()
        let server = try await OpenSSLServer.start(
            certificateChain: files.certificate + files.certificate,
            privateKey: files.key,
            arguments: ["-tls1_2"]
        )
        let page = try await files.get("/", port: server.port)
        #expect(page.contains("HTTP/1.0 200 ok") && page.contains("TLSv1.2"))
        let client = "openssl s_client -showcerts -connect 127.0.0.1:\(server.port) < /dev/null"
        let shown = try await ChildProcess.run("sh", ["-c", client])
        #expect(shown.matches(of: /BEGIN CERTIFICATE/).count == 2)
        server.stop()
    }

    @Test func `s_server that cannot start says why`() async throws {
        let error = await #expect(throws: OpenSSLServer.Failure.self) {
            try await OpenSSLServer.start(certificateChain: "nothing", privateKey: "nothing")
        }
        #expect("\(try #require(error))".contains("Could not read"))
    }
}
