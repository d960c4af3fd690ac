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

    private func session(
        _ options: RevocationTrustEvaluator.Options = [.ocsp, .requirePositiveResponse]
    ) throws -> Session {
        let evaluator = RevocationTrustEvaluator(options: options, roots: authority.roots)
        return Session(serverTrustManager: try ServerTrustManager(evaluators: ["localhost": evaluator]))
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
