import COpenSSL
import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// What evaluators and policies share is used by the event loops of several sessions at once.
@Suite struct SharedEvidenceTests {
    @Test func `lists, caches, logs and identities are used from several threads`() async throws {
        let books = try RevokingAuthority()
        let logs = try [LocalTransparencyLog(name: "One"), LocalTransparencyLog(name: "Two")]
        var profile = CertificateProfile.server
        profile.additionalExtensions = [.init("crlDistributionPoints", "URI:http://127.0.0.1:1/ca.crl")]
        let servers = try (0..<4).map { _ in
            try books.authority.issue([.dns(World.host)], profile: profile, loggedBy: logs)
        }
        for server in servers { try await books.enter(server.certificate) }
        try await books.revoke(servers[0].certificate)
        let lists = try await CertificateRevocationList.lists(pem: books.list())
        let evaluator = CompositeTrustEvaluator(evaluators: [
            RevocationTrustEvaluator(options: .crl, lists: lists, roots: books.roots),
            try CertificateTransparencyTrustEvaluator(logs: logs.map(\.log), roots: books.roots),
        ])
        let client = try books.authority.issue([], commonName: "client", profile: .client)
        let identity = try ClientIdentity(pem: client.chainPEM + client.privateKeyPEM)
        let policy = TrustPolicy(evaluator: evaluator, pattern: nil, isExplicit: true, generation: 1, tag: "1/x")
            .with(clientIdentity: identity, tlsSettings: try TLSSettings())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let judge = HandshakeJudge(identity: try ReferenceIdentity(host: World.host), policy: policy) {
                        Date()
                    }
                    let index = number % servers.count
                    let handshake = try MemoryHandshake(
                        judges: ConnectionJudges(server: judge, proxy: nil),
                        server: .init(
                            identity: servers[index],
                            version: number < 8 ? TLS1_2_VERSION : TLS1_3_VERSION,
                            requestsCertificate: true
                        )
                    )
                    handshake.run()
                    #expect(judge.refusal?.code == (index == 0 ? .revoked : nil))
                    #expect(handshake.certificatesSeenByServer == (index == 0 ? [] : client.chain))
                }
            }
            try await group.waitForAll()
        }
    }
}
