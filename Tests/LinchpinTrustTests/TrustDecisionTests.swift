import Dispatch
import Foundation
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

/// What a manager tells of each decision.
@Suite struct TrustDecisionTests {
    private final class Listener: Sendable {
        let queue = DispatchQueue(label: "decisions")
        private let heard = Mutex<[TrustDecision]>([])

        func listen(to manager: ServerTrustManager) -> UUID {
            manager.observeDecisions(on: queue) { decision in self.heard.withLock { $0.append(decision) } }
        }

        var decisions: [TrustDecision] {
            queue.sync {}
            return heard.withLock { $0 }
        }
    }

    /// Judges a chain as a session would, by the manager's entry for the host.
    @discardableResult
    private func judge(
        _ manager: ServerTrustManager,
        _ chain: [Certificate],
        host: String = World.host,
        port: Int = 443
    ) throws -> TrustError? {
        let identity = try ReferenceIdentity(host: host)
        let policy = try manager.policy(for: identity, port: port)
        do throws(TrustError) {
            _ = try HandshakeJudge(identity: identity, policy: policy) { noon }.evaluate(presentedChain: chain)
            return nil
        } catch {
            return error
        }
    }

    private func decision(by evaluator: any ServerTrustEvaluating, of chain: [Certificate]) throws -> TrustDecision {
        let manager = try ServerTrustManager(evaluators: ["*.example.com": evaluator])
        let listener = Listener()
        _ = listener.listen(to: manager)
        let error = try judge(manager, chain, port: 8_443)
        let decision = try #require(listener.decisions.first)
        #expect(listener.decisions.count == 1)
        #expect(decision.refusal == error)
        #expect(decision.isAccepted == (error == nil))
        #expect(decision.host == World.host)
        #expect(decision.port == 8_443)
        #expect(decision.pattern == "*.example.com")
        #expect(decision.date == noon)
        #expect(decision.presentedChain == chain)
        return decision
    }

    @Test func `an acceptance says which pin matched which certificate`() throws {
        let world = try World()
        for pinned in world.fullChain {
            let pins = [pinned.publicKeyPin.description, PinPolicyTests.stranger]
            let evaluator = try PublicKeyPinsTrustEvaluator(pins: pins, roots: world.roots)
            let decision = try decision(by: evaluator, of: world.server.chain)
            #expect(decision.pinMatches.map(\.certificate) == [pinned])
            #expect(decision.pinMatches.map(\.pin) == [pinned.publicKeyPin])
            #expect(decision.validatedChain == world.fullChain)
            #expect(decision.notices.isEmpty)
            #expect(decision.description.contains("\(pinned.publicKeyPin) of \(pinned.subject)"))
        }
    }

    @Test func `pinned keys and certificates match too`() throws {
        let world = try World()
        let keys = PublicKeysTrustEvaluator(keys: [world.root.certificate.publicKey], roots: world.roots)
        #expect(
            try decision(by: keys, of: world.server.chain).pinMatches.map(\.certificate) == [world.root.certificate]
        )
        let certificates = PinnedCertificatesTrustEvaluator(
            certificates: [world.intermediate.certificate],
            roots: world.roots
        )
        #expect(
            try decision(by: certificates, of: world.server.chain).pinMatches.map(\.certificate)
                == [world.intermediate.certificate]
        )
        #expect(try decision(by: world.evaluator(), of: world.server.chain).pinMatches.isEmpty)
    }

    @Test func `where every pin is in the chain there is no backup, and the server is let in`() throws {
        let world = try World()
        let inChain = world.fullChain.map(\.publicKeyPin.description)
        func notices(_ pins: [String], isRequired: Bool = true) throws -> [TrustDecision.Notice] {
            let evaluator = try PublicKeyPinsTrustEvaluator(
                pins: pins,
                requiresBackupPin: isRequired,
                roots: world.roots
            )
            let decision = try decision(by: evaluator, of: world.server.chain)
            #expect(decision.isAccepted)
            return decision.notices
        }
        #expect(try notices([inChain[0], inChain[1]]) == [.noBackupPin])
        #expect(try notices(inChain) == [.noBackupPin])
        #expect(try notices(inChain + [PinPolicyTests.stranger]).isEmpty)
        #expect(try notices([inChain[0]], isRequired: false).isEmpty)
    }

    @Test func `a refusal has its error, and what was found before it`() throws {
        let world = try World()
        let evaluator = try PublicKeyPinsTrustEvaluator(
            pins: [PinPolicyTests.stranger, world.foreignRoot.certificate.publicKeyPin.description],
            roots: world.roots
        )
        let decision = try decision(by: evaluator, of: world.server.chain)
        #expect(decision.refusal?.code == .pinMismatch)
        #expect(decision.refusal?.pattern == "*.example.com")
        #expect(decision.validatedChain == world.fullChain)
        #expect(decision.pinMatches.isEmpty)
        #expect(decision.description.hasPrefix("refused api.example.com:8443"))
    }

    @Test func `expiry and mismatches that only report are noticed`() throws {
        let world = try World()
        func decide(_ expiration: PinExpiration?, _ action: PinMismatchAction) throws -> TrustDecision {
            try decision(
                by: PublicKeyPinsTrustEvaluator(
                    pins: [PinPolicyTests.stranger],
                    requiresBackupPin: false,
                    expiration: expiration,
                    onMismatch: action,
                    roots: world.roots
                ),
                of: world.server.chain
            )
        }
        let handler = PinFailureHandler(queue: .global()) { _ in }
        let reported = try decide(nil, .reportOnly(handler))
        #expect(reported.isAccepted)
        #expect(reported.notices == [.mismatchReportedOnly])
        let past = noon.addingTimeInterval(-1)
        let fallen = try decide(PinExpiration(past, afterwards: .fallBackToDefaultValidation), .refuse)
        #expect(fallen.isAccepted)
        #expect(fallen.notices == [.pinsExpired])
        let refused = try decide(PinExpiration(past, afterwards: .refuse), .refuse)
        #expect(refused.refusal?.code == .pinsExpired)
        #expect(refused.notices == [.pinsExpired])
        let soon = noon.addingTimeInterval(60)
        let ahead = try decide(PinExpiration(soon, afterwards: .refuse), .reportOnly(handler))
        #expect(ahead.pinExpiration == soon)
    }

    @Test func `observers come and go while a manager is in use`() throws {
        let world = try World()
        let manager = try ServerTrustManager(evaluators: [World.host: world.evaluator()])
        let (first, second) = (Listener(), Listener())
        let token = first.listen(to: manager)
        try judge(manager, world.server.chain)
        _ = second.listen(to: manager)
        try manager.replaceEvaluators([World.host: world.evaluator()])
        try judge(manager, world.server.chain)
        manager.removeDecisionObserver(token)
        try judge(manager, world.server.chain)
        #expect(first.decisions.count == 2)
        #expect(second.decisions.count == 2)
    }

    @Test func `a host without an entry is told of as well`() throws {
        let world = try World()
        let manager = try ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: [:])
        let listener = Listener()
        _ = listener.listen(to: manager)
        try judge(manager, world.server.chain)
        #expect(listener.decisions.map(\.refusal?.code) == [.noAnchor])
        #expect(listener.decisions.first?.pattern == nil)
    }
}
