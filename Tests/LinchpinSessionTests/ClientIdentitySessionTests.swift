import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// A session shows the identity that a policy names, to the servers that it is for and that were accepted.
@Suite struct ClientIdentitySessionTests {
    private let world: World
    private let clients: LocalCertificateAuthority
    private let directory: TemporaryDirectory

    init() throws {
        world = try World()
        clients = try LocalCertificateAuthority(name: "Clients")
        directory = try TemporaryDirectory()
        try directory.write(world.root.certificate.pem, to: "root.pem")
    }

    private func identity(_ name: String) throws -> ClientIdentity {
        let client = try clients.issue([], commonName: name, profile: .client)
        return try ClientIdentity(pem: client.chainPEM + client.privateKeyPEM)
    }

    private func session(_ entry: String, _ identities: [String: ClientIdentity]) throws -> Session {
        let policy = Data(#"{"version": 1, "hosts": {"localhost": {"roots": ["root.pem"]\#(entry)}}}"#.utf8)
        return Session(
            serverTrustManager: try ServerTrustManager(
                policy: policy,
                relativeTo: directory.path,
                clientIdentities: identities
            )
        )
    }

    private func server(_ version: LocalTLSServer.Configuration.TLSVersion) throws -> LocalTLSServer {
        try LocalTLSServer(
            identity: world.identity,
            configuration: .init(
                minimumTLSVersion: version,
                maximumTLSVersion: version,
                clientAuthentication: .require(roots: [clients.certificate])
            )
        )
    }

    @Test(arguments: [LocalTLSServer.Configuration.TLSVersion.v1_2, .v1_3])
    func `a server that wants a certificate gets the one of the policy`(
        version: LocalTLSServer.Configuration.TLSVersion
    ) async throws {
        let server = try server(version)
        let identities = ["app": try identity("app")]
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let with = try session(#", "clientIdentity": "app""#, identities)
        #expect(await with.get(url).status == 200)
        // A kept connection and a resumed session have shown it already.
        #expect(await with.get(url).status == 200)
        #expect(server.log.handshakes.first?.clientCertificate == identities["app"]?.certificate)
        let without = try session("", identities)
        #expect(await without.get(url).status == nil)
    }

    @Test(arguments: [LocalTLSServer.Configuration.TLSVersion.v1_2, .v1_3])
    func `a server that was refused never sees it`(version: LocalTLSServer.Configuration.TLSVersion) async throws {
        let server = try server(version)
        let pins = #", "pins": ["\#(World.wrongPin)"], "requiresBackupPin": false, "clientIdentity": "app""#
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let response = try await session(pins, ["app": identity("app")]).get(url)
        #expect(response.refusal == .pinMismatch)
        try await eventually { server.log.handshakeCount > 0 }
        #expect(server.log.handshakes.map(\.clientCertificate) == [nil])
        #expect(server.log.bytesReceived == 0)
    }

    /// nginx that lets in who has a certificate of the clients' authority, and says in its log whom it let in.
    private func nginx(_ version: NginxServer.HTTPVersion) async throws -> NginxServer {
        let roots = try directory.write(clients.certificate.pem, to: "clients.pem")
        return try await NginxServer.start(
            identity: .init(certificateChain: world.identity.chainPEM, privateKey: world.identity.privateKeyPEM),
            version: version,
            body: "hello",
            logging: ["ssl_client_verify", "ssl_client_s_dn"],
            serverConfiguration: "ssl_client_certificate \(roots); ssl_verify_client on;"
        )
    }

    @Test(arguments: [NginxServer.HTTPVersion.http1, .http2])
    func `nginx lets in who shows the right certificate, and nobody else`(version: NginxServer.HTTPVersion) async throws
    {
        let server = try await nginx(version)
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let identities = ["app": try identity("app")]
        #expect(await (try session(#", "clientIdentity": "app""#, identities)).get(url).text == "hello")
        #expect(await (try session("", identities)).get(url).status == 400)
        let strangers = try LocalCertificateAuthority(name: "Strangers").issue([], commonName: "app", profile: .client)
        let stranger = try ClientIdentity(pem: strangers.chainPEM + strangers.privateKeyPEM)
        #expect(await (try session(#", "clientIdentity": "app""#, ["app": stranger])).get(url).status == 400)
        let seen = try await server.accessLog(atLeast: 3).map { $0.variables["ssl_client_verify"] }
        #expect(seen.first == "SUCCESS")
        #expect(seen.dropFirst().allSatisfy { $0 != "SUCCESS" })
    }

    @Test(arguments: [NginxServer.HTTPVersion.http1, .http2])
    func `a PKCS#12 file is shown to nginx as its PEM is`(version: NginxServer.HTTPVersion) async throws {
        let server = try await nginx(version)
        let client = try clients.issue([], commonName: "app", profile: .client)
        let chain = try directory.write(client.chainPEM, to: "app.pem")
        let key = try directory.write(client.privateKeyPEM, to: "app.key")
        let file = directory.path(of: "app.p12")
        try await ChildProcess.run(
            "openssl",
            ["pkcs12", "-export", "-in", chain, "-inkey", key, "-out", file, "-passout", "pass:s3cret"]
        )
        let data = try Data(contentsOf: URL(filePath: file))
        let identity = try ClientIdentity(pkcs12: data, password: "s3cret")
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        #expect(await (try session(#", "clientIdentity": "app""#, ["app": identity])).get(url).text == "hello")
        #expect(throws: TrustError.self) { try ClientIdentity(pkcs12: data, password: "wrong") }
    }
}
