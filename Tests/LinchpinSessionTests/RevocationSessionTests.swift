import Dispatch
import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// A session fetches what an evaluator needs to know, and then makes the handshake again.
@Suite struct RevocationSessionTests {
    private let authority: RevokingAuthority
    private let responder: LocalTLSServer
    private let identity: ServerIdentity
    private let server: LocalTLSServer

    init() throws {
        authority = try RevokingAuthority()
        responder = try authority.responder()
        identity = try authority.server(responder: "http://127.0.0.1:\(responder.port)/", list: nil)
        server = try LocalTLSServer(identity: identity) { _ in .text("hello") }
    }

    /// A responder here has to wait for a process and for its turn on a busy machine.
    private static let patient = SessionConfiguration.with {
        $0.revocationTimeouts = Timeouts(connect: 60, idle: 60, request: 120)
    }

    private func session(
        _ options: RevocationTrustEvaluator.Options = [.ocsp, .requirePositiveResponse]
    ) throws -> Session {
        let evaluator = RevocationTrustEvaluator(options: options, roots: authority.roots)
        return Session(
            configuration: Self.patient,
            serverTrustManager: try ServerTrustManager(evaluators: ["localhost": evaluator])
        )
    }

    /// The authority's list as RFC 5280 §4.2.1.13 wants it behind a URL.
    private func der() async throws -> Data {
        let lines = try await authority.list().split(separator: "\n").filter { !$0.hasPrefix("-") }
        return try #require(Data(base64Encoded: lines.joined()))
    }

    @Test func `a good answer is fetched once, and lets requests through`() async throws {
        try await authority.enter(identity.certificate)
        let session = try session()
        let url = server.url
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { await session.get(url).text } }
            for await text in group { #expect(text == "hello") }
        }
        #expect(responder.log.requests.count == 1)
        #expect(responder.log.requests.first?.method == "POST")
    }

    @Test func `a certificate that was revoked gets no request`() async throws {
        try await authority.enter(identity.certificate)
        try await authority.revoke(identity.certificate)
        #expect(await (try session()).get(server.url).refusal == .revoked)
        #expect(server.log.requests.isEmpty)
    }

    @Test func `a certificate that the responder does not know gets no request`() async throws {
        #expect(await (try session()).get(server.url).refusal == .revocationUnknown)
        #expect(server.log.requests.isEmpty)
    }

    @Test(arguments: [true, false])
    func `where nobody answers, a request goes out only if that may be`(_ isRequired: Bool) async throws {
        responder.stop()
        let session = try session(isRequired ? [.ocsp, .requirePositiveResponse] : [.ocsp])
        let response = await session.get(server.url)
        #expect(response.text == (isRequired ? nil : "hello"))
        #expect(server.log.requests.count == (isRequired ? 0 : 1))
    }

    @Test func `a list is fetched where the certificate names one`() async throws {
        let lists = try LocalTLSServer.plain { [authority] _ in
            .init(body: (try? Data(contentsOf: URL(filePath: authority.directory.path(of: "now.crl")))) ?? Data())
        }
        let identity = try authority.server(responder: nil, list: "http://127.0.0.1:\(lists.port)/now.crl")
        let server = try LocalTLSServer(identity: identity) { _ in .text("hello") }
        try await authority.enter(identity.certificate)
        try authority.directory.write(await der(), to: "now.crl")
        #expect(await (try session([.crl, .requirePositiveResponse])).get(server.url).text == "hello")
        try await authority.revoke(identity.certificate)
        try authority.directory.write(await der(), to: "now.crl")
        #expect(await (try session([.crl, .requirePositiveResponse])).get(server.url).refusal == .revoked)
        #expect(server.log.requests.count == 1)
    }

    @Test func `every hop of a long way may ask for answers`() async throws {
        var (target, servers) = (server.url, [server])
        try await authority.enter(identity.certificate)
        for _ in 0..<5 {
            let identity = try authority.server(responder: "http://127.0.0.1:\(responder.port)/", list: nil)
            try await authority.enter(identity.certificate)
            let next = target
            servers.append(
                try LocalTLSServer(identity: identity) { _ in
                    .init(status: 302, headers: [LocalTLSServer.Header("Location", next.absoluteString)])
                }
            )
            target = try #require(servers.last).url
        }
        #expect(await (try session()).get(target).text == "hello")
        #expect(servers.allSatisfy { $0.log.requests.count == 1 })
        #expect(responder.log.requests.count == 6)
    }

    @Test func `a request that waits for an answer can be cancelled`() async throws {
        let silent = try LocalTLSServer.plain { _ in .fault(.hold) }
        let identity = try authority.server(responder: "http://127.0.0.1:\(silent.port)/", list: nil)
        let server = try LocalTLSServer(identity: identity) { _ in .text("hello") }
        let session = try session()
        let request = session.request(server.url)
        let task = request.serializingData()
        #expect(await silent.waitUntil { $0.requestCount == 1 })
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(server.log.requests.isEmpty)
    }

    @Test func `what was answered while a demand was on its way is not asked again`() async throws {
        try await authority.enter(identity.certificate)
        let evaluator = RevocationTrustEvaluator(options: [.ocsp], roots: authority.roots)
        let manager = try ServerTrustManager(evaluators: ["localhost": evaluator])
        let name = try ReferenceIdentity(host: "localhost")
        let judge = HandshakeJudge(
            identity: name,
            policy: try manager.policy(for: name, port: 443),
            now: { Date() }
        )
        let refusal = #expect(throws: TrustError.self) { try judge.evaluate(presentedChain: identity.chain) }
        let demands = try #require(refusal?.revocationDemands)
        #expect(demands.count == 1)
        let fetcher = RevocationFetcher(Self.patient, nil, queue: .global())
        for _ in 0..<2 {
            await withCheckedContinuation { continuation in fetcher.fetch(demands) { continuation.resume() } }
        }
        #expect(responder.log.requests.count == 1)
    }

    @Test func `of several evaluators that wait at a time each gets its answer`() async throws {
        try await authority.enter(identity.certificate)
        let name = try ReferenceIdentity(host: "localhost")
        let demands = try (0..<2).map { _ in
            let evaluator = RevocationTrustEvaluator(options: [.ocsp], roots: authority.roots)
            let manager = try ServerTrustManager(evaluators: ["localhost": evaluator])
            let judge = HandshakeJudge(identity: name, policy: try manager.policy(for: name, port: 443)) { Date() }
            let refusal = #expect(throws: TrustError.self) { try judge.evaluate(presentedChain: identity.chain) }
            return try #require(refusal?.revocationDemands.first)
        }
        let fetcher = RevocationFetcher(Self.patient, nil, queue: .global())
        await withTaskGroup(of: Bool.self) { group in
            // The second comes before the first has an answer: a responder takes a process and a handshake's time.
            for demand in demands {
                group.addTask {
                    await withCheckedContinuation { continuation in fetcher.fetch([demand]) { continuation.resume() } }
                    return demand.isSettled(at: Date())
                }
            }
            for await isSettled in group { #expect(isSettled) }
        }
        #expect(responder.log.requests.count == 2)
    }

    @Test func `a session that is invalidated fetches nothing any more`() async throws {
        let silent = try LocalTLSServer.plain { _ in .fault(.hold) }
        let identity = try authority.server(responder: "http://127.0.0.1:\(silent.port)/", list: nil)
        let server = try LocalTLSServer(identity: identity) { _ in .text("hello") }
        let session = try session([.ocsp])
        let task = session.request(server.url).serializingData()
        #expect(await silent.waitUntil { $0.requestCount == 1 })
        await session.invalidate()
        #expect(await silent.waitUntil(timeout: 30) { $0.openConnections == 0 })
        #expect(await task.response.error != nil)
        #expect(server.log.requests.isEmpty)
    }

    @Test func `a stream goes out whole after an answer was fetched`() async throws {
        try await authority.enter(identity.certificate)
        let body = Data(repeating: 65, count: 200_000)
        let response = await (try session()).upload(InputStream(data: body), to: server.url).serializingData().response
        #expect(response.error == nil)
        #expect(server.log.requests.map(\.body) == [body])
    }

    @Test func `a request that is suspended while an answer is fetched is not sent until it is resumed`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let slow = try LocalTLSServer.plain { _ in
            // On the connection's own thread, which may wait.
            _ = gate.wait(timeout: .now() + 30)
            return .init(status: 500)
        }
        let identity = try authority.server(responder: "http://127.0.0.1:\(slow.port)/", list: nil)
        let server = try LocalTLSServer(identity: identity) { _ in .text("hello") }
        let session = try session([.ocsp])
        let request = session.request(server.url(host: "localhost", path: "/held"))
        let task = request.serializingData()
        #expect(await slow.waitUntil { $0.connections == 1 })
        request.suspend()
        gate.signal()
        for _ in 0..<5 { #expect(await session.get(server.url).text == "hello") }
        #expect(!server.log.requests.map(\.path).contains("/held"))
        request.resume()
        #expect(await task.response.text == "hello")
    }

    @Test(arguments: [true, false])
    func `answers are fetched through an HTTPS proxy that the table accepts, and through no other`(
        _ isPinned: Bool
    ) async throws {
        let world = try World()
        let proxy = try LocalTLSServer(identity: world.identity) { _ in .init(status: 500) }
        let manager = try ServerTrustManager(evaluators: [
            "localhost": RevocationTrustEvaluator(options: [.ocsp], roots: authority.roots),
            "127.0.0.1": isPinned ? world.pinned() : world.wronglyPinned(),
        ])
        let session = Session(
            configuration: .with { $0.proxies.http = Proxy(scheme: .https, host: "127.0.0.1", port: Int(proxy.port)) },
            serverTrustManager: manager
        )
        #expect(await session.get(server.url).text == "hello")
        #expect(proxy.log.requests.count == (isPinned ? 1 : 0))
        #expect(responder.log.connections == 0)
    }

    @Test func `a proxy on the way to a responder is spoken to as the session says`() async throws {
        let world = try World()
        let proxy = try LocalTLSServer(identity: world.identity) { _ in .init(status: 500) }
        let port = Int(proxy.port)
        let manager = try ServerTrustManager(evaluators: [
            "localhost": RevocationTrustEvaluator(options: [.ocsp], roots: authority.roots),
            "127.0.0.1": world.pinned(),
        ])
        let old = try TLSSettings(maximumVersion: .v1_2)
        for (settings, version) in [([:], "TLSv1.3"), (["127.0.0.1": old], "TLSv1.2")]
            as [([String: TLSSettings], String)]
        {
            let hosts = try HostTLSSettings(settings)
            let configuration = SessionConfiguration.with {
                $0.proxies.http = Proxy(scheme: .https, host: "127.0.0.1", port: port)
                $0.hostTLSSettings = hosts
            }
            let session = Session(configuration: configuration, serverTrustManager: manager)
            #expect(await session.get(server.url).text == "hello")
            #expect(proxy.log.handshakes.last?.version == version)
            try manager.replaceEvaluators([
                "localhost": RevocationTrustEvaluator(options: [.ocsp], roots: authority.roots),
                "127.0.0.1": world.pinned(),
            ])
        }
    }

    @Test func `settings of TLS hold for the session, or for a host`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let old = try TLSSettings(maximumVersion: .v1_2)
        let host = try HostTLSSettings(["localhost": old])
        for configuration in [
            SessionConfiguration.with { $0.tlsSettings = old }, .with { $0.hostTLSSettings = host },
        ] {
            let session = Session(configuration: configuration, serverTrustManager: try world.manager())
            #expect(await session.get(server.url).metrics?.tlsVersion == "TLSv1.2")
        }
    }

    @Test(arguments: PolicyChangeTests.resumptions, [true, false])
    func `without tickets no session of TLS is resumed`(
        _ row: PolicyChangeTests.Resumption,
        _ usesTickets: Bool
    ) async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity, configuration: row.configuration) { _ in
            .text("hello", headers: [.init("Connection", "close")])
        }
        let settings = try TLSSettings(usesSessionTickets: usesTickets)
        let session = Session(
            configuration: .with { $0.tlsSettings = settings },
            serverTrustManager: try world.manager()
        )
        for _ in 0..<2 { #expect(await session.get(server.url).text == "hello") }
        #expect(server.log.handshakes.map(\.isResumed) == [false, usesTickets && row.isUsedByLibcurl])
    }

    /// A responder may lead to a host whose server the table would refuse.
    @Test(arguments: [true, false])
    func `on the way to a responder only proxies are shown an identity`(_ isOfProxies: Bool) throws {
        let client = try LocalCertificateAuthority(name: "Clients").issue([], commonName: "app", profile: .client)
        let identity = try ClientIdentity(pem: client.chainPEM + client.privateKeyPEM)
        var configuration = SessionConfiguration()
        configuration.clientIdentities = try ClientIdentities(["localhost": identity])
        configuration.judgesProxiesOnly = isOfProxies
        let url = try ParsedURL(#require(URL(string: "https://localhost/")))
        #expect(configuration.clientIdentity(for: url, isProxy: false) == (isOfProxies ? nil : identity))
        #expect(configuration.clientIdentity(for: url, isProxy: true) == identity)
    }

    @Test(arguments: [true, false])
    func `a proxy that asks for a certificate lets answers through`(_ isShown: Bool) async throws {
        try await authority.enter(identity.certificate)
        let world = try World()
        let clients = try LocalCertificateAuthority(name: "Clients")
        let proxy = try LocalTLSServer(
            identity: world.identity,
            configuration: .init(clientAuthentication: .require(roots: [clients.certificate]))
        ) { [authority] request in authority.response(to: request) }
        let client = try clients.issue([], commonName: "app", profile: .client)
        let shown = try ClientIdentity(pem: client.chainPEM + client.privateKeyPEM)
        let identities = try ClientIdentities([isShown ? "127.0.0.1" : "other.example": shown])
        let manager = try ServerTrustManager(evaluators: [
            "localhost": RevocationTrustEvaluator(
                options: [.ocsp, .requirePositiveResponse],
                roots: authority.roots
            ),
            "127.0.0.1": world.pinned(),
        ])
        let configuration = SessionConfiguration.with {
            $0.proxies.http = Proxy(scheme: .https, host: "127.0.0.1", port: Int(proxy.port))
            $0.clientIdentities = identities
            $0.revocationTimeouts = Self.patient.revocationTimeouts
        }
        let session = Session(configuration: configuration, serverTrustManager: manager)
        let response = await session.get(server.url)
        #expect(response.text == (isShown ? "hello" : nil))
        #expect(response.refusal == (isShown ? nil : .revocationUnknown))
        #expect(responder.log.connections == 0)
    }

    @Test func `identities of the configuration are shown to their hosts, and each has its own connections`()
        async throws
    {
        let world = try World()
        let clients = try LocalCertificateAuthority(name: "Clients")
        let server = try LocalTLSServer(
            identity: world.identity,
            configuration: .init(clientAuthentication: .require(roots: [clients.certificate]))
        )
        let client = try clients.issue([], commonName: "app", profile: .client)
        let identity = try ClientIdentity(pem: client.chainPEM + client.privateKeyPEM)
        let identities = try ClientIdentities(["localhost": identity])
        let session = Session(
            configuration: .with { $0.clientIdentities = identities },
            serverTrustManager: try world.manager()
        )
        #expect(await session.get(server.url).status == 200)
        #expect(server.log.handshakes.first?.clientCertificate == identity.certificate)
    }
}
