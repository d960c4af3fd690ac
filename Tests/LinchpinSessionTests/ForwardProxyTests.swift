import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// Proxies of other makes, and what they may refuse.
@Suite struct ForwardProxyTests {
    private static func credentials(
        _ kind: ForwardProxy.Kind,
        user: String = ForwardProxy.user,
        password: String = ForwardProxy.password
    ) -> Proxy.Credentials {
        Proxy.Credentials(user: user, password: password, scheme: kind == .squidDigest ? .digest : .basic)
    }

    private static func proxy(
        _ peer: ForwardProxy,
        _ kind: ForwardProxy.Kind,
        _ credentials: Proxy.Credentials?
    ) -> Proxy {
        Proxy(scheme: kind.isSOCKS ? .socks5 : .http, host: "127.0.0.1", port: peer.port, credentials: credentials)
    }

    @Test(arguments: ForwardProxy.Kind.allCases)
    func `requests go through it, and the server behind it is judged as ever`(_ kind: ForwardProxy.Kind) async throws {
        let world = try World()
        let peer = try await ForwardProxy.start(kind)
        let proxy = Self.proxy(peer, kind, kind.asksForCredentials ? Self.credentials(kind) : nil)
        let configuration = SessionConfiguration.with { $0.proxy = proxy }
        let server = try LocalTLSServer(identity: world.identity) {
            .text("hello", headers: [.init("X-N", "\($0.body.count)")])
        }
        let session = Session(configuration: configuration, serverTrustManager: try world.manager())
        for _ in 0..<2 {
            let response = await session.get(server.url)
            #expect(response.text == "hello", "\(String(describing: response.error)) \(peer.output)")
        }
        #expect(server.log.connections == 1)
        #expect(server.log.requests.allSatisfy { $0.header("Proxy-Authorization") == nil })

        let refusing = try ServerTrustManager(evaluators: ["localhost": world.wronglyPinned()])
        let refused = await Session(configuration: configuration, serverTrustManager: refusing).get(server.url)
        #expect(refused.refusal == .pinMismatch)

        let plain = try LocalTLSServer.plain { .text("plain \($0.body.count)") }
        let body = Data(repeating: 65, count: 100_000)
        let response = await Session(configuration: configuration)
            .upload(body, to: plain.url).serializingData().response
        #expect(response.text == "plain 100000", "\(String(describing: response.error))")
        #expect(plain.log.requests.allSatisfy { $0.header("Proxy-Authorization") == nil })
        peer.stop()
    }

    @Test(arguments: ForwardProxy.Kind.allCases.filter(\.asksForCredentials), [nil, "wrong"])
    func `a proxy that wants other credentials is an error that says so, and no secret`(
        _ kind: ForwardProxy.Kind,
        password: String?
    ) async throws {
        let world = try World()
        let peer = try await ForwardProxy.start(kind)
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let credentials = password.map { Self.credentials(kind, user: "topsecret", password: "\($0)-topsecret") }
        let session = Session(
            configuration: .with { $0.proxy = Self.proxy(peer, kind, credentials) },
            serverTrustManager: try world.manager()
        )
        let response = await session.get(server.url)
        #expect(response.error?.transportError?.code == .proxyAuthenticationRequired, "\(String(describing: response))")
        #expect(server.log.connections == 0)
        var text = "\(session.configuration) \(response)"
        dump(session, to: &text)
        dump(session.configuration, to: &text)
        dump(response, to: &text)
        #expect(!text.contains("topsecret"))
        peer.stop()
    }

    @Test func `a proxy that asks for Basic gets no readable password meant for a digest`() async throws {
        let proxy = try LocalTLSServer.plain { _ in
            .init(status: 407, headers: [.init("Proxy-Authenticate", "Basic realm=\"a\"")])
        }
        let port = Int(proxy.port)
        let url = try #require(URL(string: "https://localhost/"))
        for (scheme, isSent) in [(Proxy.Credentials.Scheme.digest, false), (.basic, true)] {
            let credentials = Proxy.Credentials(user: "ann", password: "secret", scheme: scheme)
            let proxied = Proxy(host: "localhost", port: port, credentials: credentials)
            let response = await Session(configuration: .with { $0.proxy = proxied }).get(url)
            #expect(response.error?.transportError?.code == .proxyAuthenticationRequired)
            let sent = proxy.log.requests.compactMap { $0.header("Proxy-Authorization") }
            #expect(sent.isEmpty != isSent)
        }
    }

    @Test(arguments: [403, 502, 503, 301])
    func `a proxy that answers CONNECT with another status refuses`(_ status: Int) async throws {
        let proxy = try LocalTLSServer.plain { _ in .init(status: status, headers: [.init("Location", "http://a/")]) }
        let port = Int(proxy.port)
        let session = Session(configuration: .with { $0.proxy = Proxy(host: "localhost", port: port) })
        let response = await session.get(try #require(URL(string: "https://127.0.0.1:1/")))
        #expect(response.error?.transportError?.code == .proxyRefused, "\(String(describing: response.error))")
        #expect(response.response == nil)
    }

    @Test func `a SOCKS proxy refuses a host that its rules forbid, and a port where nobody listens`() async throws {
        let peer = try await ForwardProxy.start(.dante)
        let configuration = SessionConfiguration.with { $0.proxy = Self.proxy(peer, .dante, nil) }
        for url in ["http://192.0.2.1/", "http://127.0.0.1:1/"] {
            let response = await Session(configuration: configuration).get(try #require(URL(string: url)))
            #expect(response.error?.transportError?.code == .proxyRefused, "\(String(describing: response.error))")
        }
        peer.stop()
    }

    /// This machine knows an address for the name, the proxy does not.
    @Test func `names are resolved by the SOCKS proxy, not here`() async throws {
        let peer = try await ForwardProxy.start(.dante)
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        var configuration = SessionConfiguration()
        configuration.resolution.overrides = [
            .init(host: "here.invalid", port: Int(server.port), addresses: ["127.0.0.1"])
        ]
        #expect(await Session(configuration: configuration).get(server.url(host: "here.invalid")).text == "hello")
        configuration.proxy = Self.proxy(peer, .dante, nil)
        let response = await Session(configuration: configuration).get(server.url(host: "here.invalid"))
        #expect(response.error?.transportError?.code == .proxyRefused, "\(String(describing: response.error))")
        peer.stop()
    }

    @Test func `a proxy that is not there is an error`() async throws {
        let session = Session(configuration: .with { $0.proxy = Proxy(host: "127.0.0.1", port: 1) })
        let response = await session.get(try #require(URL(string: "https://localhost/")))
        #expect(response.error?.transportError?.code == .cannotConnect)
        let nowhere = Session(configuration: .with { $0.proxy = Proxy(host: "nowhere.invalid", port: 1) })
        let other = await nowhere.get(try #require(URL(string: "https://localhost/")))
        #expect(other.error?.transportError?.code == .cannotFindHost)
    }

    @Test func `hosts that are excluded are reached without the proxy`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("direct") }
        let proxy = try LocalTLSServer.plain { _ in .text("proxied") }
        let port = Int(proxy.port)
        let proxies = try Proxies(Proxy(host: "127.0.0.1", port: port), except: ["localhost"])
        let session = Session(configuration: .with { $0.proxies = proxies })
        #expect(await session.get(server.url).text == "direct")
        #expect(await session.get(server.url(host: "127.0.0.1")).text == "proxied")
    }

    /// A proxy whose host has no entry in the table stands in the way of what goes through it only.
    @Test func `a host that is excluded needs no policy for the proxy`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("direct") }
        let proxies = try Proxies(Proxy(scheme: .https, host: "127.0.0.1", port: 1), except: ["localhost"])
        let session = Session(
            configuration: .with { $0.proxies = proxies },
            serverTrustManager: try world.manager()
        )
        #expect(await session.get(server.url).text == "direct")
    }

    @Test func `the environment's proxies are not asked unless the caller wants them`() async throws {
        await #expect(processExitsWith: .success) {
            let server = try LocalTLSServer.plain { _ in .text("direct") }
            for name in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTPS_PROXY"] {
                setenv(name, "http://127.0.0.1:1", 1)
            }
            try #require(await Session().get(server.url).text == "direct")
            var configuration = SessionConfiguration()
            configuration.proxies = try Proxies()
            let response = await Session(configuration: configuration).get(server.url)
            try #require(response.error?.transportError?.code == .cannotConnect)
            // Read when the configuration was made, and by nobody since.
            let proxy = try LocalTLSServer.plain { _ in .text("proxied") }
            let port = Int(proxy.port)
            setenv("no_proxy", "*", 1)
            let other = Session(configuration: .with { $0.proxy = Proxy(host: "127.0.0.1", port: port) })
            try #require(await other.get(server.url).text == "proxied")
        }
    }
}
