import Foundation
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@Suite struct DefaultTrustEvaluatorTests {
    @Test func `the chain is judged before the host`() throws {
        let world = try World()
        let evaluator = world.evaluator()
        #expect(try refusal(by: evaluator, of: world.server.chain) == nil)
        #expect(try refusal(by: evaluator, of: world.server.chain, host: "other.example.com")?.code == .hostMismatch)
        let leaf = [world.server.certificate]
        #expect(try refusal(by: evaluator, of: leaf, host: "other.example.com")?.code == .noAnchor)
    }

    @Test func `the host may be left out, and the chain not with it`() throws {
        let world = try World()
        let evaluator = world.evaluator(validateHost: false)
        #expect(!evaluator.validatesHost)
        #expect(try refusal(by: evaluator, of: world.server.chain, host: "other.example.com") == nil)
        #expect(try refusal(by: evaluator, of: [world.server.certificate])?.code == .noAnchor)
    }

    @Test func `the defaults are the system's roots and the host`() throws {
        let world = try World()
        #expect(DefaultTrustEvaluator().validatesHost)
        #expect(try refusal(by: DefaultTrustEvaluator(), of: world.fullChain)?.code == .noAnchor)
        let twin = DefaultTrustEvaluator(roots: .systemAndCertificates([world.root.certificate]))
        #expect(try refusal(by: twin, of: world.fullChain) == nil)
    }
}

@Suite struct DisabledTrustEvaluatorTests {
    @Test func `anything is accepted that is a certificate`() throws {
        let world = try World()
        let expired = try LocalCertificateAuthority.selfSigned(["other.example"], validity: .pastAtNoon)
        #expect(!DisabledTrustEvaluator().validatesHost)
        for chain in [world.server.chain, expired.chain, [world.server.certificate]] {
            #expect(try refusal(by: DisabledTrustEvaluator(), of: chain) == nil)
        }
        #expect(try refusal(by: DefaultTrustEvaluator(), of: expired.chain)?.code == .noAnchor)
    }
}

@Suite struct CompositeTrustEvaluatorTests {
    /// Notes that it was asked, and accepts.
    private final class Noting: ServerTrustEvaluating {
        let count = Mutex(0)
        func evaluate(_ trust: ServerTrust, forHost host: String) { count.withLock { $0 += 1 } }
    }

    @Test func `all of them have to accept`() throws {
        let world = try World()
        let pin = try PublicKeyPinsTrustEvaluator(
            pins: [world.server.pin.description],
            requiresBackupPin: false,
            roots: world.roots
        )
        let wrongPin = try PublicKeyPinsTrustEvaluator(
            pins: [world.foreignRoot.certificate.publicKeyPin.description],
            requiresBackupPin: false,
            roots: world.roots
        )
        let both = CompositeTrustEvaluator(evaluators: [world.evaluator(), pin])
        #expect(try refusal(by: both, of: world.server.chain) == nil)
        for evaluators in [[pin, wrongPin], [wrongPin, pin], [world.evaluator(), wrongPin]]
            as [[any ServerTrustEvaluating]]
        {
            let composite = CompositeTrustEvaluator(evaluators: evaluators)
            #expect(try refusal(by: composite, of: world.server.chain)?.code == .pinMismatch)
        }
    }

    @Test func `they are asked in order, and the first that refuses is the last that is asked`() throws {
        let world = try World()
        let before = Noting()
        let after = Noting()
        let composite = CompositeTrustEvaluator(evaluators: [before, world.evaluator(), after])
        #expect(try refusal(by: composite, of: [world.server.certificate])?.code == .noAnchor)
        #expect(before.count.withLock { $0 } == 1)
        #expect(after.count.withLock { $0 } == 0)
        #expect(try refusal(by: composite, of: world.server.chain) == nil)
        #expect(after.count.withLock { $0 } == 1)
    }

    @Test func `composites nest`() throws {
        let world = try World()
        let inner = CompositeTrustEvaluator(evaluators: [world.evaluator()])
        let outer = CompositeTrustEvaluator(evaluators: [DisabledTrustEvaluator(), inner])
        #expect(try refusal(by: outer, of: world.server.chain) == nil)
        #expect(try refusal(by: outer, of: world.server.chain, host: "other.example.com")?.code == .hostMismatch)
    }

    @Test func `the host counts when it counts for one of them`() {
        let lax = DefaultTrustEvaluator(validateHost: false)
        #expect(!CompositeTrustEvaluator(evaluators: [lax, DisabledTrustEvaluator()]).validatesHost)
        #expect(CompositeTrustEvaluator(evaluators: [lax, DefaultTrustEvaluator()]).validatesHost)
        #expect(CompositeTrustEvaluator(evaluators: []).validatesHost)
    }
}

@Suite struct CustomEvaluatorTests {
    private struct Custom: ServerTrustEvaluating {
        let body: @Sendable (ServerTrust, String) throws -> Void
        func evaluate(_ trust: ServerTrust, forHost host: String) throws { try body(trust, host) }
    }

    private struct NotToday: Error, Equatable {
        let weekday: String
    }

    @Test func `an error of the caller's own refuses, and is the cause`() throws {
        let world = try World()
        let error = try #require(
            try refusal(by: Custom { _, _ in throw NotToday(weekday: "Sunday") }, of: world.server.chain)
        )
        #expect(error.code == .customEvaluationFailed)
        #expect(error.cause as? NotToday == NotToday(weekday: "Sunday"))
        #expect(error.host == World.host)
        #expect(error.presentedChain == world.server.chain)
        #expect(error.description.contains("Sunday"))
        #expect(try refusal(by: Custom { _, _ in }, of: world.server.chain) == nil)
    }

    @Test(arguments: [CancellationError() as any Error, CocoaError(.fileNoSuchFile), POSIXError(.EINTR)])
    func `errors of the system refuse too`(thrown: any Error) throws {
        let error = try refusal(by: Custom { _, _ in throw thrown }, of: World().server.chain)
        #expect(error?.code == .customEvaluationFailed)
    }

    @Test func `a refusal that the caller words stays as it is`() throws {
        let own = TrustError.Code(rawValue: "notOnTheList")
        let custom = Custom { _, _ in throw TrustError(own, reason: "this server is not on the list") }
        let error = try #require(try refusal(by: custom, of: World().server.chain))
        #expect(error.code == own)
        #expect(error.reason == "this server is not on the list")
        #expect(error.host == World.host)
    }

    @Test func `an error within a composite is wrapped too`() throws {
        let custom = Custom { _, _ in throw NotToday(weekday: "Monday") }
        let composite = CompositeTrustEvaluator(evaluators: [DisabledTrustEvaluator(), custom])
        let error = try refusal(by: composite, of: World().server.chain)
        #expect(error?.code == .customEvaluationFailed)
        #expect(error?.cause is NotToday)
    }

    @Test func `the usual checks are there for a custom evaluator`() throws {
        let world = try World()
        let roots = world.roots
        let custom = Custom { trust, host in
            let chain = try trust.validatedChain(roots: roots)
            try trust.validateHost()
            guard chain.count == 3, host == trust.host, trust.leaf == chain.first, trust.date == noon else {
                throw NotToday(weekday: "never")
            }
        }
        #expect(custom.validatesHost)
        #expect(try refusal(by: custom, of: world.server.chain, host: "API.example.com.") == nil)
        #expect(try refusal(by: custom, of: world.server.chain, host: "other.example.com")?.code == .hostMismatch)
        #expect(try refusal(by: custom, of: [world.server.certificate])?.code == .noAnchor)
    }
}
