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
}
