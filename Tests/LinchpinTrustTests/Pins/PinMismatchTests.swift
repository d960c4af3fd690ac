import Dispatch
import Foundation
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

/// What a mismatch does under each action, and what is reported of it.
@Suite struct PinMismatchTests {
    /// Collects reports on a queue of its own.
    private final class Collector: Sendable {
        private let queue = DispatchQueue(label: "reports")
        private let collected = Mutex<[PinFailureReport]>([])

        var handler: PinFailureHandler {
            PinFailureHandler(queue: queue) { report in self.collected.withLock { $0.append(report) } }
        }

        /// What has come up to now.
        var reports: [PinFailureReport] {
            queue.sync {}
            return collected.withLock { $0 }
        }
    }

    private func evaluator(
        _ pins: [String],
        _ onMismatch: PinMismatchAction,
        expiration: PinExpiration? = nil,
        roots: TrustRoots
    ) throws -> PublicKeyPinsTrustEvaluator {
        try PublicKeyPinsTrustEvaluator(
            pins: pins,
            requiresBackupPin: false,
            expiration: expiration,
            onMismatch: onMismatch,
            roots: roots
        )
    }

    @Test func `a mismatch that is only reported lets the server in, once per handshake`() throws {
        let world = try World()
        let collector = Collector()
        let lax = try evaluator([PinPolicyTests.stranger], .reportOnly(collector.handler), roots: world.roots)
        for count in 1...2 {
            #expect(try refusal(by: lax, of: world.server.chain) == nil)
            #expect(collector.reports.count == count)
        }
        #expect(collector.reports.allSatisfy { !$0.isEnforced })
    }

    @Test func `a mismatch that is refused and reported is both`() throws {
        let world = try World()
        let collector = Collector()
        let strict = try evaluator([PinPolicyTests.stranger], .refuseAndReport(collector.handler), roots: world.roots)
        #expect(try refusal(by: strict, of: world.server.chain)?.code == .pinMismatch)
        #expect(collector.reports.count == 1)
        #expect(collector.reports.map(\.isEnforced) == [true])
    }

    @Test(arguments: [true, false])
    func `nothing but a mismatch is let through or reported`(isReportOnly: Bool) throws {
        let world = try World()
        let collector = Collector()
        let action: PinMismatchAction =
            isReportOnly ? .reportOnly(collector.handler) : .refuseAndReport(collector.handler)
        let expired = try PinExpiration("2033-05-17", afterwards: .refuse)
        for pin in [PinPolicyTests.stranger, world.server.pin.description] {
            let evaluator = try evaluator([pin], action, roots: world.roots)
            let chain = world.server.chain
            #expect(try refusal(by: evaluator, of: chain, host: "other.example.com")?.code == .hostMismatch)
            #expect(try refusal(by: evaluator, of: [world.server.certificate])?.code == .noAnchor)
            let foreign = try world.foreignRoot.issue([.dns(World.host)], validity: .atNoon)
            #expect(try refusal(by: evaluator, of: foreign.chain)?.code == .noAnchor)
            #expect(try refusal(by: evaluator, of: chain, at: noon.addingTimeInterval(40 * 86_400))?.code == .expired)
            #expect(
                try refusal(by: evaluator, of: chain, at: noon.addingTimeInterval(-40 * 86_400))?.code == .notYetValid
            )
            let late = try self.evaluator([pin], action, expiration: expired, roots: world.roots)
            #expect(try refusal(by: late, of: chain)?.code == .pinsExpired)
        }
        let right = try evaluator([world.server.pin.description], action, roots: world.roots)
        #expect(try refusal(by: right, of: world.server.chain) == nil)
        #expect(collector.reports.isEmpty)
    }

    @Test(arguments: [(false, true), (true, false), (false, false)])
    func `pins cannot only report where nothing else would be checked`(
        validation: (isChainValidated: Bool, isHostValidated: Bool)
    ) throws {
        func make(_ action: PinMismatchAction) throws(TrustError) {
            _ = try PublicKeyPinsTrustEvaluator(
                pins: [PinPolicyTests.stranger],
                requiresBackupPin: false,
                onMismatch: action,
                performDefaultValidation: validation.isChainValidated,
                validateHost: validation.isHostValidated
            )
        }
        let handler = Collector().handler
        let error = #expect(throws: TrustError.self) { try make(.reportOnly(handler)) }
        #expect(error?.code == .contradictoryPolicy)
        try make(.refuseAndReport(handler))
        try make(.refuse)
    }

    @Test func `a composite does not let in what another of its evaluators refuses`() throws {
        let world = try World()
        let collector = Collector()
        let lax = try evaluator([PinPolicyTests.stranger], .reportOnly(collector.handler), roots: world.roots)
        let strict = try evaluator([PinPolicyTests.stranger], .refuse, roots: world.roots)
        let both = CompositeTrustEvaluator(evaluators: [lax, strict])
        #expect(try refusal(by: both, of: world.server.chain)?.code == .pinMismatch)
        #expect(collector.reports.count == 1)
    }

    // MARK: The report

    private func report(pattern: String?, port: Int?, host: String = World.host) throws -> [String: Any] {
        let world = try World()
        let collector = Collector()
        let expiration = try PinExpiration("2040-01-31", afterwards: .refuse)
        let pins = [PinPolicyTests.stranger, world.foreignRoot.certificate.publicKeyPin.description]
        let lax = try evaluator(pins, .reportOnly(collector.handler), expiration: expiration, roots: world.roots)
        var policy = TrustPolicy(evaluator: lax, pattern: pattern, isExplicit: true, generation: 1, tag: "")
        policy.port = port
        let judge = HandshakeJudge(identity: try ReferenceIdentity(host: host), policy: policy) { noon }
        _ = try judge.evaluate(presentedChain: world.server.chain + [world.foreignRoot.certificate])
        let report = try #require(collector.reports.first)
        #expect(report.validatedChain == world.fullChain)
        #expect(Set(report.pins.map(\.description)) == Set(pins))
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        return try #require(try JSONSerialization.jsonObject(with: encoder.encode(report)) as? [String: Any])
    }

    @Test func `a report has TrustKit's fields`() throws {
        let fields = try report(pattern: "**.Example.com", port: 8_443)
        #expect(fields["date-time"] as? String == "2033-05-18T03:33:20Z")
        #expect(fields["hostname"] as? String == World.host)
        #expect(fields["port"] as? Int == 8_443)
        #expect(fields["noted-hostname"] as? String == "example.com")
        #expect(fields["include-subdomains"] as? Bool == true)
        #expect(fields["enforce-pinning"] as? Bool == false)
        #expect(fields["validation-result"] as? Int == 1)
        #expect(fields["known-pins-expiration-date"] as? String == "2040-01-31")
        let chain = try #require(fields["validated-certificate-chain"] as? [String])
        #expect(try chain.map { try Certificate(pem: $0).isSelfIssued } == [false, false, true])
        let pins = try #require(fields["known-pins"] as? [String])
        #expect(try pins.map { try PublicKeyPin($0).description }.contains(PinPolicyTests.stranger))
        #expect(pins.allSatisfy { $0.hasPrefix("pin-sha256=\"") })
        for name in [
            "app-bundle-id", "app-version", "app-platform", "app-platform-version", "app-vendor-id", "trustkit-version",
        ] {
            #expect((fields[name] as? String)?.isEmpty == false, "\(name)")
        }
        #expect(fields.count == 16)
    }

    @Test(arguments: [
        (nil, World.host, false), ("api.example.com", World.host, false), ("API.example.com:443", World.host, false),
        ("*.example.com", "example.com", true),
    ])
    func `the noted host is the policy's`(pattern: String?, noted: String, includesSubdomains: Bool) throws {
        let fields = try report(pattern: pattern, port: nil)
        #expect(fields["noted-hostname"] as? String == noted)
        #expect(fields["include-subdomains"] as? Bool == includesSubdomains)
        #expect(fields["port"] as? Int == 0)
    }

    // MARK: A fingerprint for a pin

    @Test func `a pin that is a certificate's fingerprint is pointed out`() throws {
        let world = try World()
        for certificate in world.fullChain {
            let evaluator = try evaluator([certificate.fingerprint], .refuse, roots: world.roots)
            let error = try #require(try refusal(by: evaluator, of: world.server.chain))
            #expect(error.code == .pinMismatch)
            #expect(error.reason.contains("whole certificate \(certificate.subject)"))
            #expect(error.reason.contains(certificate.publicKeyPin.description))
        }
        let other = try evaluator([world.foreignRoot.certificate.fingerprint], .refuse, roots: world.roots)
        #expect(try refusal(by: other, of: world.server.chain)?.reason.contains("whole certificate") == false)
    }
}
