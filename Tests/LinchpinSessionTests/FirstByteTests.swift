import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// Promise 1: no byte of a request leaves before trust is established.
@Suite struct FirstByteTests {
    @Test func `a pinned server gets the request`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let session = Session(serverTrustManager: try world.manager())
        let response = await session.get(server.url, headers: ["Authorization": "Bearer secret"])
        #expect(response.error == nil)
        #expect(response.text == "hello")
        #expect(response.status == 200)
        #expect(server.log.requests.first?.header("Authorization") == "Bearer secret")
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: TrustError.Code
        let serverIdentity: @Sendable (World) throws -> ServerIdentity
        let evaluators: @Sendable (World) throws -> [String: any ServerTrustEvaluating]
    }

    static let refused: [Refused] = [
        Refused(
            testDescription: "a wrong pin",
            code: .pinMismatch,
            serverIdentity: \.identity,
            evaluators: { ["localhost": try $0.wronglyPinned()] }
        ),
        Refused(
            testDescription: "an unknown root",
            code: .noAnchor,
            serverIdentity: { _ in try LocalCertificateAuthority(name: "Stranger").issue() },
            evaluators: { ["localhost": try $0.pinned()] }
        ),
        Refused(
            testDescription: "a pinned certificate appended to a foreign chain",
            code: .pinMismatch,
            serverIdentity: { world in
                let other = try world.root.issue()
                return other.presenting(other.chain + world.identity.chain)
            },
            evaluators: { ["localhost": try $0.pinned()] }
        ),
        Refused(
            testDescription: "an expired certificate",
            code: .expired,
            serverIdentity: { try $0.root.issue(validity: .expired, key: $0.identity.privateKey) },
            evaluators: { ["localhost": try $0.pinned()] }
        ),
        Refused(
            testDescription: "a certificate that is not yet valid",
            code: .notYetValid,
            serverIdentity: { try $0.root.issue(validity: .notYetValid, key: $0.identity.privateKey) },
            evaluators: { ["localhost": try $0.pinned()] }
        ),
        Refused(
            testDescription: "a certificate for another host",
            code: .hostMismatch,
            serverIdentity: { try $0.root.issue([.dns("other.test")], key: $0.identity.privateKey) },
            evaluators: { ["localhost": try $0.pinned()] }
        ),
        Refused(
            testDescription: "a self-signed certificate without a pin",
            code: .noAnchor,
            serverIdentity: { _ in try LocalCertificateAuthority.selfSigned() },
            evaluators: { ["localhost": DefaultTrustEvaluator(roots: $0.roots)] }
        ),
        Refused(
            testDescription: "a missing evaluator",
            code: .noRequiredEvaluator,
            serverIdentity: \.identity,
            evaluators: { ["other.test": try $0.pinned()] }
        ),
        Refused(
            testDescription: "an evaluator that throws",
            code: .customEvaluationFailed,
            serverIdentity: \.identity,
            evaluators: { _ in ["localhost": Throwing()] }
        ),
    ]

    struct Throwing: ServerTrustEvaluating {
        struct Complaint: Error {}
        func evaluate(_ trust: ServerTrust, forHost host: String) throws { throw Complaint() }
    }

    @Test(arguments: refused, [LocalTLSServer.Configuration.TLSVersion.v1_2, .v1_3])
    func `a refused server gets no byte of the request`(
        _ row: Refused,
        version: LocalTLSServer.Configuration.TLSVersion
    ) async throws {
        let world = try World()
        let server = try LocalTLSServer(
            identity: row.serverIdentity(world),
            configuration: .init(minimumTLSVersion: version, maximumTLSVersion: version)
        )
        let manager = try ServerTrustManager(evaluators: row.evaluators(world))
        let session = Session(serverTrustManager: manager)
        let response = await session.get(server.url, headers: ["Authorization": "Bearer secret"])
        #expect(response.refusal == row.code)
        #expect(response.response == nil)
        await session.invalidate()
        if row.code != .noRequiredEvaluator { #expect(await server.waitUntil { $0.handshakeCount == 1 }) }
        server.stop()
        #expect(server.log.bytesReceived == 0)
        #expect(server.log.handshakes.allSatisfy { !$0.completed })
        if row.code != .noRequiredEvaluator {
            #expect(server.log.handshakes.count == 1)
            #expect(server.log.handshakes.first?.alertReceived != nil)
        }
    }
}
