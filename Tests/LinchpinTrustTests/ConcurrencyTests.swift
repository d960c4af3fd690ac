import LinchpinTesting
import LinchpinTrust
import Testing

/// What the proofs of `@unchecked Sendable` say, for the thread sanitizer to look at.
@Suite struct ConcurrencyTests {
    @Test func `certificates, stores and evaluators are shared by threads`() async throws {
        let world = try World()
        let pin = world.root.certificate.publicKeyPin.description
        let evaluator = CompositeTrustEvaluator(evaluators: [
            world.evaluator(),
            try PublicKeyPinsTrustEvaluator(pins: [pin], requiresBackupPin: false, roots: world.roots),
            PinnedCertificatesTrustEvaluator(
                certificates: [world.intermediate.certificate],
                acceptSelfSignedCertificates: true
            ),
        ])
        let foreign = try world.foreignRoot.issue([.dns(World.host)], validity: .atNoon)
        let codes = try await withThrowingTaskGroup { group in
            for number in 0..<32 {
                let chain = number.isMultiple(of: 2) ? world.server.chain : foreign.chain
                group.addTask {
                    _ = (chain[0].description, chain[0].subjectAlternativeNames, chain[0].publicKey)
                    return try refusal(by: evaluator, of: chain)?.code
                }
            }
            return try await group.reduce(into: [TrustError.Code?]()) { $0.append($1) }
        }
        #expect(codes.count { $0 == nil } == 16)
        #expect(codes.count { $0 == .noAnchor } == 16)
    }

    @Test func `a table is replaced while it is read`() async throws {
        let manager = try ServerTrustManager(evaluators: ["a.example": DefaultTrustEvaluator()])
        let identity = try ReferenceIdentity(host: "a.example")
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        if number == 0 {
                            try manager.replaceEvaluators(["a.example": DefaultTrustEvaluator()])
                        } else if number == 1 {
                            manager.stopObserving(manager.observe { _ in })
                        } else {
                            let policy = try manager.policy(for: identity, port: 443)
                            #expect(policy.pattern == "a.example")
                            #expect(policy.tag.hasPrefix("\(policy.generation)/"))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
