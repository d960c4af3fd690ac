import Dispatch
import LinchpinTesting
import LinchpinTrust
import Synchronization
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

    @Test func `observers come and go while decisions are made, and hear each once`() async throws {
        let world = try World()
        let manager = try ServerTrustManager(evaluators: [World.host: world.evaluator()])
        let identity = try ReferenceIdentity(host: World.host)
        let heard = Mutex(0)
        let queue = DispatchQueue(label: "decisions")
        manager.observeDecisions(on: queue) { _ in heard.withLock { $0 += 1 } }
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        let token = manager.observeDecisions(on: .global()) { _ in }
                        let policy = try manager.policy(for: identity, port: 443)
                        let judge = HandshakeJudge(identity: identity, policy: policy) { noon }
                        _ = try judge.evaluate(presentedChain: world.server.chain)
                        manager.removeDecisionObserver(token)
                    }
                }
            }
            try await group.waitForAll()
        }
        queue.sync {}
        #expect(heard.withLock { $0 } == 160)
    }

    @Test func `the list of public suffixes is read by many at once`() async throws {
        await withTaskGroup { group in
            for _ in 0..<16 {
                group.addTask { _ = try? HostPattern("*.co.uk") }
            }
        }
    }
}
