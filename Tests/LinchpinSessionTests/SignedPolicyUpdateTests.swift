import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// Signed policies that arrive while a session runs.
@Suite struct SignedPolicyUpdateTests {
    private let world: World
    private let key: PrivateKey
    private let store: SignedPolicyStore
    private let directory: TemporaryDirectory

    init() throws {
        world = try World()
        key = try PrivateKey(.ed25519)
        directory = try TemporaryDirectory()
        store = SignedPolicyStore(path: directory.path(of: "kept.json"), key: try key.publicKey)
    }

    private func document(_ version: Int, pin: String, by signer: PrivateKey? = nil) throws -> Data {
        let entry = #"{"pins": ["\#(pin)"], "requiresBackupPin": false, "roots": "given"}"#
        return try SignedPolicy.document(
            policy: Data(#"{"version": 1, "hosts": {"localhost": \#(entry)}}"#.utf8),
            version: version,
            expires: Date().addingTimeInterval(3_600),
            privateKey: (signer ?? key).pem
        )
    }

    private func update(_ manager: ServerTrustManager, _ document: Data) throws {
        try manager.update(signedPolicy: document, keptIn: store, givenRoots: world.roots)
    }

    @Test func `a new policy is the next request's, on no connection of the old one's`() async throws {
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let manager = try world.manager()
        let session = Session(serverTrustManager: manager)
        for _ in 0..<2 { #expect(await session.get(server.url).text == "hello") }
        #expect(server.log.connections == 1)
        try update(manager, document(1, pin: world.identity.pin.description))
        #expect(await session.get(server.url).text == "hello")
        #expect(server.log.connections == 2)
        try update(manager, document(2, pin: World.wrongPin))
        #expect(await session.get(server.url).refusal == .pinMismatch)
        #expect(server.log.requests.count == 3)
    }

    @Test func `a policy that is refused leaves the connections alone`() async throws {
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let manager = try world.manager()
        let session = Session(serverTrustManager: manager)
        try update(manager, document(2, pin: world.identity.pin.description))
        #expect(await session.get(server.url).text == "hello")
        let stranger = try PrivateKey(.ed25519)
        for refused in [
            try document(1, pin: World.wrongPin), try document(2, pin: World.wrongPin),
            try document(3, pin: World.wrongPin, by: stranger), try document(3, pin: World.wrongPin).dropLast(40),
        ] {
            #expect(throws: TrustError.self) { try update(manager, refused) }
            #expect(await session.get(server.url).text == "hello")
        }
        #expect(server.log.connections == 1)
        #expect(try store.stored()?.version == 2)
    }
}
