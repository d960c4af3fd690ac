import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// A real server behind real proxies.
@Suite struct ProxiedNginxTests {
    @Test(arguments: ForwardProxy.Kind.allCases, NginxServer.HTTPVersion.allCases)
    func `many requests go through few tunnels, and uploads and downloads with them`(
        _ kind: ForwardProxy.Kind,
        version: NginxServer.HTTPVersion
    ) async throws {
        let world = try World()
        let files = try TemporaryDirectory()
        let server = try await NginxServer.start(
            identity: world.nginxIdentity,
            version: version,
            body: "hello",
            logging: ["http_proxy_authorization"],
            serverConfiguration: """
                location /files/ { alias \(files.path)/; dav_methods PUT; client_max_body_size 100m; }
                """
        )
        let peer = try await ForwardProxy.start(kind)
        defer { peer.stop() }
        let credentials = Proxy.Credentials(
            user: ForwardProxy.user,
            password: ForwardProxy.password,
            scheme: kind == .squidDigest ? .digest : .basic
        )
        let proxy = Proxy(
            scheme: kind.isSOCKS ? .socks5 : .http,
            host: "127.0.0.1",
            port: peer.port,
            credentials: kind.asksForCredentials ? credentials : nil
        )
        let session = try world.session(version) {
            $0.proxy = proxy
            $0.maximumConnectionsPerHost = 4
        }
        let url = "https://localhost:\(server.port)/"
        await withTaskGroup(of: DataResponse<Data, SessionError>.self) { group in
            for _ in 0..<40 { group.addTask { await session.request(url).serializingData().response } }
            for await response in group {
                #expect(response.text == "hello", "\(response) \(peer.output)")
                // What the proxy says of itself in its answer to CONNECT is no field of the response.
                #expect(response.headers.allSatisfy { !$0.name.lowercased().hasPrefix("proxy-") })
                #expect(response.metrics?.networkProtocolName == (version == .http1 ? "http/1.1" : "h2"))
            }
        }
        let body = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let upload = session.upload(body, to: "\(url)files/new", method: .put)
        #expect(await upload.serializingData(emptyResponseCodes: [201]).response.status == 201)
        let file = try await session.download("\(url)files/new").serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == body)
        let log = try await server.accessLog(atLeast: 42)
        #expect(log.count == 42)
        #expect(Set(log.map(\.connection)).count <= (version == .http1 ? 4 : 1))
        #expect(log.allSatisfy { $0.variables["http_proxy_authorization"] == "" })
    }
}
