import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

/// An HTTPS proxy is judged as the proxy's host, the server behind it as its own, and neither as the other.
@Suite struct ProxyTests {
    /// A server at `localhost` under one root and a proxy at `127.0.0.1` under another, each with the other's pin.
    struct Way {
        let server: LocalTLSServer
        let proxy: LocalTLSServer
        let serverIdentity: ServerIdentity
        let proxyIdentity: ServerIdentity

        /// - Parameters:
        ///   - isSwapped: whether each presents what the other should.
        init(
            server: (ServerIdentity, ServerIdentity) -> ServerIdentity = { own, _ in own },
            proxy: (ServerIdentity, ServerIdentity) -> ServerIdentity = { own, _ in own },
            scheme: Proxy.Scheme = .https
        ) throws {
            let serverIdentity = try LocalCertificateAuthority(name: "Server Root").issue()
            let proxyIdentity = try LocalCertificateAuthority(name: "Proxy Root").issue()
            self.serverIdentity = serverIdentity
            self.proxyIdentity = proxyIdentity
            let end = try LocalTLSServer(identity: server(serverIdentity, proxyIdentity)) { _ in .text("hello") }
            self.server = end
            let handler: @Sendable (LocalTLSServer.Request) -> LocalTLSServer.Response = { request in
                request.method == "CONNECT" ? .tunnel(toPort: end.port) : .text("the proxy's own")
            }
            self.proxy =
                try scheme == .https
                ? LocalTLSServer(identity: proxy(proxyIdentity, serverIdentity), handler: handler)
                : LocalTLSServer.plain(handler: handler)
        }

        private func accepting(_ identity: ServerIdentity) throws -> PinnedCertificatesTrustEvaluator {
            PinnedCertificatesTrustEvaluator(
                certificates: [identity.certificate],
                acceptSelfSignedCertificates: true
            )
        }

        func session(
            scheme: Proxy.Scheme = .https,
            proxyHost: String = "127.0.0.1",
            hostTLSSettings: HostTLSSettings? = nil
        ) throws -> Session {
            let manager = try ServerTrustManager(
                evaluators: ["localhost": accepting(serverIdentity), "127.0.0.1": accepting(proxyIdentity)]
            )
            let port = Int(proxy.port)
            return Session(
                configuration: .with {
                    $0.proxy = Proxy(scheme: scheme, host: proxyHost, port: port)
                    $0.hostTLSSettings = hostTLSSettings
                },
                serverTrustManager: manager
            )
        }
    }

    /// Hosts with settings that allow TLS 1.2 only, and what is then spoken with the proxy and with the server.
    @Test(arguments: [
        ([], "TLSv1.3", "TLSv1.3"), (["127.0.0.1"], "TLSv1.2", "TLSv1.3"), (["localhost"], "TLSv1.3", "TLSv1.2"),
        (["127.0.0.1", "localhost"], "TLSv1.2", "TLSv1.2"),
    ])
    func `a proxy and a server are each spoken to by the settings of their own host`(
        _ hosts: [String],
        _ proxy: String,
        _ server: String
    ) async throws {
        let way = try Way()
        let old = try TLSSettings(maximumVersion: .v1_2)
        let settings = try HostTLSSettings(Dictionary(uniqueKeysWithValues: hosts.map { ($0, old) }))
        let response = try await way.session(hostTLSSettings: settings).get(way.server.url)
        #expect(response.text == "hello", "\(String(describing: response.error))")
        #expect(way.proxy.log.handshakes.map(\.version) == [proxy])
        #expect(way.server.log.handshakes.map(\.version) == [server])
    }

    @Test func `the secrets of a proxy's connection are written where its settings say, and no others`() async throws {
        let directory = try TemporaryDirectory()
        let way = try Way()
        let path = directory.path(of: "keys")
        let settings = try HostTLSSettings(["127.0.0.1": TLSSettings(keyLogFile: path)])
        #expect(try await way.session(hostTLSSettings: settings).get(way.server.url).text == "hello")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let randoms = Set(lines.compactMap { $0.split(separator: " ").dropFirst().first })
        #expect(randoms.count == 1)
    }

    @Test(arguments: [Proxy.Scheme.http, .https])
    func `a request goes through the proxy to the server, and only the server sees it`(
        _ scheme: Proxy.Scheme
    ) async throws {
        let way = try Way(scheme: scheme)
        let session = try way.session(scheme: scheme)
        for _ in 0..<2 {
            let response = await session.get(way.server.url, headers: ["Authorization": "Bearer secret"])
            #expect(response.text == "hello", "\(String(describing: response.error))")
            #expect(response.headers["Via"] == nil)
        }
        #expect(way.server.log.requests.count == 2)
        #expect(way.server.log.connections == 1)
        let seen = way.proxy.log.requests
        #expect(seen.map(\.method) == ["CONNECT"])
        #expect(seen.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test func `a proxy that presents the server's certificate is refused, and sees no byte`() async throws {
        let way = try Way(proxy: { $1 })
        let response = try await way.session().get(way.server.url)
        #expect(response.refusal != nil)
        #expect(response.error?.trustError?.host == "127.0.0.1")
        #expect(await way.proxy.waitUntil { $0.handshakeCount == 1 })
        #expect(way.proxy.log.bytesReceived == 0)
        #expect(way.server.log.connections == 0)
    }

    @Test(arguments: [Proxy.Scheme.http, .https])
    func `a server that presents the proxy's certificate is refused, and sees no byte`(
        _ scheme: Proxy.Scheme
    ) async throws {
        let way = try Way(server: { $1 }, scheme: scheme)
        let response = try await way.session(scheme: scheme).get(way.server.url)
        #expect(response.refusal != nil)
        #expect(response.error?.trustError?.host == "localhost")
        #expect(await way.server.waitUntil { $0.handshakeCount == 1 })
        #expect(way.server.log.bytesReceived == 0)
    }

    @Test func `a proxy without an entry in the table is refused before it is connected to`() async throws {
        let way = try Way()
        let manager = try ServerTrustManager(
            evaluators: ["localhost": PinnedCertificatesTrustEvaluator(certificates: [way.serverIdentity.certificate])]
        )
        let port = Int(way.proxy.port)
        let session = Session(
            configuration: .with { $0.proxy = Proxy(scheme: .https, host: "127.0.0.1", port: port) },
            serverTrustManager: manager
        )
        #expect(await session.get(way.server.url).refusal == .noRequiredEvaluator)
        #expect(way.proxy.log.connections == 0)
    }

    @Test func `a proxy and a server of one name are told apart`() async throws {
        let way = try Way()
        let manager = try ServerTrustManager(evaluators: [
            "localhost:\(way.server.port)": PinnedCertificatesTrustEvaluator(
                certificates: [way.serverIdentity.certificate],
                acceptSelfSignedCertificates: true
            ),
            "localhost:\(way.proxy.port)": PinnedCertificatesTrustEvaluator(
                certificates: [way.proxyIdentity.certificate],
                acceptSelfSignedCertificates: true
            ),
        ])
        let port = Int(way.proxy.port)
        let session = Session(
            configuration: .with { $0.proxy = Proxy(scheme: .https, host: "localhost", port: port) },
            serverTrustManager: manager
        )
        #expect(await session.get(way.server.url).text == "hello")
    }

    @Test(arguments: ["", "a b", "user@host", "host/path", "host?x", "..", "a:b"])
    func `a proxy's host that is none is an error of the request`(_ host: String) async throws {
        let session = Session(configuration: .with { $0.proxy = Proxy(host: host, port: 1) })
        guard
            case .urlRequestValidationFailed(.unsupportedURL) = await session.request("http://127.0.0.1:1/")
                .serializingData().response.error
        else {
            Issue.record("it was taken")
            return
        }
    }

    @Test func `a connection to a proxy ends with the validity that let it in, for plain HTTP too`() async throws {
        let world = try World()
        let proxy = try LocalTLSServer(identity: world.identity) { _ in .text("through") }
        let manager = try ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: ["localhost": world.pinned()])
        let days = Mutex(0.0)
        let session = Session(
            configuration: .with {
                $0.proxy = Proxy(scheme: .https, host: "localhost", port: Int(proxy.port))
                $0.now = { Date() + days.withLock { $0 } * 86_400 }
            },
            serverTrustManager: manager
        )
        let url = try #require(URL(string: "http://server.test/"))
        for _ in 0..<2 { #expect(await session.get(url).text == "through") }
        #expect(proxy.log.connections == 1)
        days.withLock { $0 = 20_000 }
        #expect(await session.get(url).refusal == .expired)
        #expect(proxy.log.requests.count == 2)
    }
}
