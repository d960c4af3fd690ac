import Foundation
import FoundationNetworking
import Glibc
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

/// Where connections go, how many there are and how long they are kept.
@Suite struct NetworkSettingsTests {
    @Test(arguments: ["api.example.com", "API.Example.com", "api.example.com."])
    func `a host whose address is overridden is judged by its own name`(_ host: String) async throws {
        let root = try LocalCertificateAuthority(name: "Root")
        let identity = try root.issue([.dns("api.example.com")])
        let server = try LocalTLSServer(identity: identity) { _ in .text("hello") }
        let evaluator = try PublicKeyPinsTrustEvaluator(
            pins: [identity.pin.description],
            requiresBackupPin: false,
            roots: .certificates([root.certificate])
        )
        let port = Int(server.port)
        let configuration = SessionConfiguration.with {
            $0.resolution.overrides = [
                .init(host: "api.example.com", port: port, addresses: ["127.0.0.1"]),
                .init(host: "other.example.com", port: port, addresses: ["127.0.0.1"]),
            ]
        }
        let manager = try ServerTrustManager(evaluators: ["**.example.com": evaluator])
        let session = Session(configuration: configuration, serverTrustManager: manager)
        let response = await session.get(server.url(host: host))
        #expect(response.text == "hello", "\(String(describing: response.error))")
        #expect(server.log.handshakes.first?.serverName == "api.example.com")
        // Its twin leads to the same server, which has no certificate for that name.
        #expect(await session.get(server.url(host: "other.example.com")).refusal == .hostMismatch)
    }

    @Test(arguments: [
        NameResolution.Override(host: "a b", port: 1, addresses: ["127.0.0.1"]),
        .init(host: "a.test", port: 0, addresses: ["127.0.0.1"]),
        .init(host: "a.test", port: 1, addresses: []),
        .init(host: "a.test", port: 1, addresses: ["localhost"]),
        .init(host: "a.test", port: 1, addresses: ["127.0.0.1,127.0.0.2"]),
        .init(host: "a.test", port: 1, addresses: ["[::1]"]),
    ])
    func `an override that is none is an error of every request`(_ override: NameResolution.Override) async {
        await expectInvalid { $0.resolution.overrides = [override] }
    }

    @Test func `settings that cannot be are errors of every request`() async {
        await expectInvalid { $0.unixSocketPath = "" }
        await expectInvalid { $0.unixSocketPath = String(repeating: "x", count: 108) }
        await expectInvalid {
            $0.unixSocketPath = "/x"
            $0.proxy = Proxy(host: "localhost", port: 1)
        }
        await expectInvalid { $0.networkInterface = "" }
        await expectInvalid { $0.connections.total = 0 }
        await expectInvalid { $0.maximumConnectionsPerHost = -1 }
        await expectInvalid { $0.rateLimits.receiving = 0 }
    }

    private func expectInvalid(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout SessionConfiguration) -> Void
    ) async {
        let response = await Session(configuration: .with(change)).request("http://127.0.0.1:1/")
            .serializingData().response
        guard case .urlRequestValidationFailed(.invalidConfiguration) = response.error else {
            Issue.record("\(String(describing: response.error))", sourceLocation: sourceLocation)
            return
        }
    }

    @Test func `one dead address does not keep from a live one`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let dead = try FullListener()
        let port = Int(server.port)
        let configuration = SessionConfiguration.with {
            // Nobody listens at ::1; at the second address the port is closed.
            $0.resolution.overrides = [
                .init(host: "a.test", port: port, addresses: ["::1", "127.0.0.2", "127.0.0.1"])
            ]
        }
        #expect(await Session(configuration: configuration).get(server.url(host: "a.test")).text == "hello")
        withExtendedLifetime(dead) {}
    }

    @Test(arguments: [(NameResolution.IPVersion.any, true), (.v4, true), (.v6, false)])
    func `only addresses of the wanted version count`(_ version: NameResolution.IPVersion, isReached: Bool) async throws
    {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let session = Session(configuration: .with { $0.resolution.ipVersion = version })
        let response = await session.get(server.url(host: "localhost"))
        #expect((response.text == "hello") == isReached, "\(String(describing: response.error))")
    }

    @Test func `IPv6 is spoken`() async throws {
        let server = try LocalTLSServer.plain(configuration: .init(address: .ipv6)) { _ in .text("hello") }
        let session = Session(configuration: .with { $0.resolution.ipVersion = .v6 })
        #expect(await session.get(server.url(host: "::1")).text == "hello")
        let other = Session(configuration: .with { $0.resolution.ipVersion = .v4 })
        #expect(await other.get(server.url(host: "localhost")).error?.transportError?.code != nil)
    }

    @Test func `connections are made to a Unix socket, and the server is judged as ever`() async throws {
        let world = try World()
        let directory = try TemporaryDirectory()
        let path = directory.path(of: "socket")
        let nginx = try await NginxServer.start(
            identity: .init(certificateChain: world.identity.chainPEM, privateKey: world.identity.privateKeyPEM),
            serverConfiguration: "listen unix:\(path) ssl; listen unix:\(path)0;"
        )
        let url = try #require(URL(string: "https://localhost:1/"))
        let configuration = SessionConfiguration.with { $0.unixSocketPath = path }
        let session = Session(configuration: configuration, serverTrustManager: try world.manager())
        let response = await session.get(url)
        #expect(response.text == "hello\n", "\(String(describing: response.error))")
        let refusing = try ServerTrustManager(evaluators: ["localhost": world.wronglyPinned()])
        let refused = await Session(configuration: configuration, serverTrustManager: refusing).get(url)
        #expect(refused.refusal == .pinMismatch)
        let nowhere = Session(configuration: .with { $0.unixSocketPath = directory.path(of: "none") })
        let lost = await nowhere.get(try #require(URL(string: "http://localhost/")))
        #expect(lost.error?.transportError?.code == .cannotConnect)
        nginx.stop()
    }

    @Test func `connections are made from the wanted address`() async throws {
        let nginx = try await NginxServer.start(
            identity: nil,
            serverConfiguration: "location /from { return 200 $remote_addr; }"
        )
        let url = try #require(URL(string: "http://127.0.0.1:\(nginx.port)/from"))
        let session = Session(configuration: .with { $0.networkInterface = "127.0.0.5" })
        #expect(await session.get(url).text == "127.0.0.5")
        #expect(await Session(configuration: .with { $0.networkInterface = "lo" }).get(url).text == "127.0.0.1")
        let nowhere = await Session(configuration: .with { $0.networkInterface = "nowhere0" }).get(url)
        #expect(nowhere.error?.transportError?.code == .cannotConnect, "\(String(describing: nowhere.error))")
        nginx.stop()
    }

    @Test func `no more connections are open than the session wants`() async throws {
        let served = Mutex((now: 0, most: 0))
        let server = try LocalTLSServer.plain { _ in
            served.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            Thread.sleep(forTimeInterval: 0.25)
            served.withLock { $0.now -= 1 }
            return .text("hello")
        }
        let session = Session(configuration: .with { $0.connections.total = 2 })
        await withTaskGroup { group in
            for host in ["localhost", "127.0.0.1"] {
                for _ in 0..<6 {
                    let url = server.url(host: host)
                    group.addTask { await session.get(url, timeouts: Timeouts(connect: 1)).text }
                }
            }
            for await text in group { #expect(text == "hello") }
        }
        #expect(server.log.requestCount == 12)
        #expect(served.withLock { $0.most } == 2)
    }

    @Test(arguments: [(1.0, nil), (118.0, 1.0)] as [(TimeInterval, TimeInterval?)])
    func `a connection that is too old is not used again`(_ idleAge: TimeInterval, lifetime: TimeInterval?) async throws
    {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let old = Session(configuration: .with { $0.connections = .init(idleAge: idleAge, lifetime: lifetime) })
        let other = Session()
        for session in [old, other] { #expect(await session.get(server.url).text == "hello") }
        // libcurl counts whole seconds, and wants more of them than the limit.
        try await Task.sleep(for: .seconds(2.1))
        for session in [old, other] { #expect(await session.get(server.url).text == "hello") }
        #expect(server.log.connections == 3)
    }

    /// What the kernel says of this process's connections to a port (ss(8) would ask the same).
    @Test func `silent connections are probed where that is wanted`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let probing = Session(configuration: .with { $0.tcpKeepAlive = TCPKeepAlive(idle: 77, interval: 33) })
        #expect(await probing.get(server.url).text == "hello")
        let sockets = Self.sockets(connectedTo: server.port)
        #expect(sockets.count == 1)
        for socket in sockets {
            #expect(Self.option(SOL_SOCKET, SO_KEEPALIVE, of: socket) == 1)
            #expect(Self.option(Int32(IPPROTO_TCP), TCP_KEEPIDLE, of: socket) == 77)
            #expect(Self.option(Int32(IPPROTO_TCP), TCP_KEEPINTVL, of: socket) == 33)
        }
        await probing.invalidate()
        let plain = Session()
        #expect(await plain.get(server.url).text == "hello")
        for socket in Self.sockets(connectedTo: server.port) {
            #expect(Self.option(SOL_SOCKET, SO_KEEPALIVE, of: socket) == 0)
        }
    }

    private static func sockets(connectedTo port: UInt16) -> [Int32] {
        (3..<65_536).filter { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
            }
            return isConnected && address.sin_family == sa_family_t(AF_INET) && address.sin_port == port.bigEndian
        }
    }

    private static func option(_ level: Int32, _ name: Int32, of socket: Int32) -> Int32 {
        var value: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket, level, name, &value, &length)
        return value
    }

    @Test func `transfers go no faster than is wanted`() async throws {
        let body = Data(repeating: 65, count: 4_000_000)
        // libcurl looks at the rate between reads, of which the first may take a megabyte.
        let server = try LocalTLSServer.plain { .init(body: $0.path == "/down" ? body : Data()) }
        let slow = Session(
            configuration: .with { $0.rateLimits = RateLimits(receiving: 2_000_000, sending: 2_000_000) }
        )
        for isDownload in [true, false] {
            let url = server.url(host: "localhost", path: isDownload ? "/down" : "/up")
            let start = ContinuousClock.now
            let response =
                isDownload
                ? await slow.get(url) : await slow.upload(body, to: url).serializingData().response
            #expect(response.status == 200)
            let elapsed = (ContinuousClock.now - start) / .seconds(1)
            #expect(elapsed > 1, "\(isDownload ? "download" : "upload") took \(elapsed) s")
        }
        let start = ContinuousClock.now
        #expect(await Session().get(server.url(host: "localhost", path: "/down")).value == body)
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test func `HTTP 2 without TLS is spoken to a server that is known to speak it`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path(of: "h2")
        let nginx = try await NginxServer.start(
            identity: nil,
            serverConfiguration: "listen unix:\(path) http2; location /version { return 200 $server_protocol; }"
        )
        let url = try #require(URL(string: "http://localhost/version"))
        for (version, expected) in [(SessionConfiguration.HTTPVersion.http2PriorKnowledge, "HTTP/2.0"), (.http1, nil)] {
            let session = Session(
                configuration: .with {
                    $0.unixSocketPath = path
                    $0.httpVersion = version
                }
            )
            #expect(await session.get(url).text == expected)
        }
        nginx.stop()
    }
}
