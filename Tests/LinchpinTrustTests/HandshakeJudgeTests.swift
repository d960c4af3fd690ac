import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

/// What a judgement leaves behind: a verdict, or an error that says what to do.
@Suite struct HandshakeJudgeTests {
    private func judge(
        _ evaluator: any ServerTrustEvaluating,
        host: String = World.host,
        pattern: String? = nil
    ) throws -> HandshakeJudge {
        let policy = TrustPolicy(evaluator: evaluator, pattern: pattern, isExplicit: true, generation: 7, tag: "7/tag")
        return HandshakeJudge(identity: try ReferenceIdentity(host: host), policy: policy) { noon }
    }

    // MARK: Verdicts

    @Test func `a verdict is for a host and a policy, until the first certificate ends`() throws {
        let root = try LocalCertificateAuthority(name: "Root", validity: .days(-2, 5))
        let intermediate = try root.intermediate(name: "Intermediate", validity: .days(-2, 3))
        let server = try intermediate.issue([.dns(World.host)], validity: .days(-2, 4))
        let roots = TrustRoots.certificates([root.certificate])
        let verdict = try judge(DefaultTrustEvaluator(roots: roots), host: "API.example.com.")
            .evaluate(presentedChain: server.chain)
        #expect(verdict.identity == .dns(World.host))
        #expect(verdict.policyTag == "7/tag")
        #expect(verdict.validUntil == intermediate.certificate.notAfter)
    }

    @Test func `a verdict of several evaluators ends with the earliest of what they validated`() throws {
        let short = try LocalCertificateAuthority(name: "Short", validity: .days(-2, 3))
        let long = try LocalCertificateAuthority(name: "Long", validity: .days(-2, 20))
        let cross = try long.intermediate(name: "Short", validity: .days(-2, 20), key: short.privateKey)
        let server = try short.issue([.dns(World.host)], validity: .atNoon)
        let sent = server.chain + [cross.certificate]
        let evaluators = [short, long].map { DefaultTrustEvaluator(roots: .certificates([$0.certificate])) }
        let first = try judge(CompositeTrustEvaluator(evaluators: evaluators)).evaluate(presentedChain: sent)
        let second = try judge(CompositeTrustEvaluator(evaluators: evaluators.reversed())).evaluate(
            presentedChain: sent
        )
        #expect(first.validUntil == short.certificate.notAfter)
        #expect(second.validUntil == short.certificate.notAfter)
        let longOnly = try judge(evaluators[1]).evaluate(presentedChain: sent)
        #expect(longOnly.validUntil == long.certificate.notAfter)
    }

    // MARK: Outcomes

    enum Outcome: CaseIterable {
        case accepted, expired, notYetValid, wrongHost, wrongPin, noAnchor

        var code: TrustError.Code? {
            switch self {
            case .accepted: nil
            case .expired: .expired
            case .notYetValid: .notYetValid
            case .wrongHost: .hostMismatch
            case .wrongPin: .pinMismatch
            case .noAnchor: .noAnchor
            }
        }
    }

    @Test(arguments: Outcome.allCases)
    func `outcomes can be told apart`(outcome: Outcome) throws {
        let root = try LocalCertificateAuthority(name: "Root", validity: .atNoon)
        let issuer = outcome == .noAnchor ? try LocalCertificateAuthority(name: "Root", validity: .atNoon) : root
        let validity: Validity =
            switch outcome {
            case .expired: .pastAtNoon
            case .notYetValid: .futureAtNoon
            default: .atNoon
            }
        let server = try issuer.issue(
            [.dns(outcome == .wrongHost ? "other.example.com" : World.host)],
            validity: validity
        )
        let pinned = outcome == .wrongPin ? try LocalCertificateAuthority.selfSigned().pin : server.pin
        let evaluator = try PublicKeyPinsTrustEvaluator(
            pins: [pinned.description],
            requiresBackupPin: false,
            roots: .certificates([root.certificate])
        )
        #expect(try refusal(by: evaluator, of: server.chain)?.code == outcome.code)
    }

    // MARK: What errors say

    @Test func `a pin failure can be pasted into a policy`() throws {
        let world = try World()
        let expected = try (0..<2).map { _ in try LocalCertificateAuthority.selfSigned().pin.description }
        let evaluator = try PublicKeyPinsTrustEvaluator(pins: expected, roots: world.roots)
        let stranger = try world.foreignRoot.issue(["stranger.example"], validity: .atNoon).certificate
        let sent = world.server.chain + [stranger]
        let error = try #require(try refusal(by: evaluator, of: sent, pattern: "*.example.com"))
        #expect(error.code == .pinMismatch)
        #expect(error.host == World.host)
        #expect(error.pattern == "*.example.com")
        #expect(error.expectedPins == expected.sorted())
        #expect(error.validatedChain == world.fullChain)
        #expect(error.presentedChain == sent)
        for text in [error.description, error.localizedDescription, "\(error)"] {
            for word in [World.host, "*.example.com"] + expected { #expect(text.contains(word)) }
            for certificate in world.fullChain + [stranger] {
                #expect(text.contains("\(certificate.publicKeyPin) \(certificate.subject)"))
            }
        }
        // What it prints is a pin of the right form: pasted, it lets the server in.
        let pasted = try PublicKeyPinsTrustEvaluator(
            pins: [try #require(error.validatedChain.first).publicKeyPin.description],
            requiresBackupPin: false,
            roots: world.roots
        )
        #expect(try refusal(by: pasted, of: sent) == nil)
    }

    @Test func `a certificate's pin failure shows what was pinned`() throws {
        let world = try World()
        let evaluator = PinnedCertificatesTrustEvaluator(
            certificates: [world.foreignRoot.certificate],
            roots: world.roots
        )
        let error = try #require(try refusal(by: evaluator, of: world.server.chain))
        let pinned = world.foreignRoot.certificate
        #expect(error.expectedPins == ["\(pinned.publicKeyPin) \(pinned.subject)"])
        #expect(error.validatedChain == world.fullChain)
        #expect(error.description.contains("CN=Foreign Root"))
    }

    @Test func `a chain that was not verified is not shown as one`() throws {
        let world = try World()
        let stranger = world.foreignRoot.certificate
        let evaluators: [any ServerTrustEvaluating] = [
            PinnedCertificatesTrustEvaluator(certificates: [stranger], performDefaultValidation: false),
            PublicKeysTrustEvaluator(keys: [stranger.publicKey], performDefaultValidation: false),
            try PublicKeyPinsTrustEvaluator(
                pins: [stranger.publicKeyPin.description],
                requiresBackupPin: false,
                performDefaultValidation: false
            ),
        ]
        for evaluator in evaluators {
            let error = try #require(try refusal(by: evaluator, of: world.server.chain))
            #expect(error.code == .pinMismatch)
            #expect(error.validatedChain.isEmpty)
            #expect(error.presentedChain == world.server.chain)
            #expect(error.expectedPins.count == 1)
        }
    }

    @Test func `every refusal has the host, the pattern and what was presented`() throws {
        let world = try World()
        let cases: [(any ServerTrustEvaluating, [Certificate], String, TrustError.Code)] = [
            (world.evaluator(), [world.server.certificate], World.host, .noAnchor),
            (world.evaluator(), world.server.chain, "other.example.com", .hostMismatch),
            (DefaultTrustEvaluator(roots: .certificates([])), world.server.chain, World.host, .noCertificatesFound),
            (PublicKeysTrustEvaluator(keys: []), world.server.chain, World.host, .noPublicKeysFound),
            (CompositeTrustEvaluator(evaluators: []), world.server.chain, World.host, .noEvaluatorsFound),
        ]
        for (evaluator, chain, host, code) in cases {
            let error = try #require(try refusal(by: evaluator, of: chain, host: host, pattern: "*.example.com"))
            #expect(error.code == code)
            #expect(error.host == host)
            #expect(error.pattern == "*.example.com")
            #expect(error.presentedChain == chain)
            for certificate in chain { #expect(error.description.contains(certificate.publicKeyPin.description)) }
        }
    }

    @Test func `a host mismatch shows the chain that was verified`() throws {
        let world = try World()
        let error = try #require(
            try refusal(by: world.evaluator(), of: world.server.chain, host: "other.example.com")
        )
        #expect(error.validatedChain == world.fullChain)
        let unverified = try #require(try refusal(by: world.evaluator(), of: [world.server.certificate]))
        #expect(unverified.validatedChain.isEmpty)
    }

    @Test func `errors are equal when their codes are`() {
        let first = TrustError(.expired, reason: "one")
        #expect(first == TrustError(.expired, reason: "two", cause: CancellationError()))
        #expect(first != TrustError(.notYetValid, reason: "one"))
    }
}
