import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct PinnedCertificatesTests {
    // MARK: Which certificate may be pinned

    @Test(arguments: [true, false])
    func `the leaf, the intermediate and the root may be pinned`(isValidated: Bool) throws {
        let world = try World()
        let stranger = try world.foreignRoot.issue([.dns(World.host)], validity: .atNoon).certificate
        for pinned in world.fullChain {
            for pins in [[pinned], [stranger, pinned], [pinned, world.foreignRoot.certificate]] {
                let evaluator = PinnedCertificatesTrustEvaluator(
                    certificates: pins,
                    performDefaultValidation: isValidated,
                    roots: world.roots
                )
                #expect(try refusal(by: evaluator, of: world.server.chain) == nil, "\(pinned.subject)")
                #expect(try refusal(by: evaluator, of: world.fullChain) == nil, "\(pinned.subject)")
            }
        }
        for pins in [[stranger], [world.foreignRoot.certificate], [stranger, world.foreignRoot.certificate]] {
            let evaluator = PinnedCertificatesTrustEvaluator(
                certificates: pins,
                performDefaultValidation: isValidated,
                roots: world.roots
            )
            #expect(try refusal(by: evaluator, of: world.server.chain)?.code == .pinMismatch)
        }
    }

    @Test(arguments: [true, false])
    func `a pinned certificate that a server appends is worth nothing`(isValidated: Bool) throws {
        let world = try World()
        let rogue = try world.foreignRoot.issue([.dns(World.host)], validity: .atNoon)
        let roots = TrustRoots.certificates([world.root.certificate, world.foreignRoot.certificate])
        for pinned in world.fullChain {
            let evaluator = PinnedCertificatesTrustEvaluator(
                certificates: [pinned],
                performDefaultValidation: isValidated,
                roots: roots
            )
            for appended in [[pinned], world.fullChain, world.fullChain.reversed()] {
                let sent = rogue.chain + appended
                #expect(try refusal(by: evaluator, of: sent)?.code == .pinMismatch, "\(pinned.subject)")
            }
            #expect(try refusal(by: evaluator, of: world.fullChain + rogue.chain) == nil, "\(pinned.subject)")
        }
    }

    @Test func `a pinned root does not match where the chain to it is broken`() throws {
        let world = try World()
        let sent = [world.server.certificate, world.root.certificate]
        let root = world.root.certificate
        let validating = PinnedCertificatesTrustEvaluator(certificates: [root], roots: world.roots)
        #expect(try refusal(by: validating, of: sent)?.code == .noAnchor)
        let lax = PinnedCertificatesTrustEvaluator(certificates: [root], performDefaultValidation: false)
        #expect(try refusal(by: lax, of: sent)?.code == .pinMismatch)
        for evaluator in [validating, lax] {
            #expect(try refusal(by: evaluator, of: world.fullChain) == nil)
        }
    }

    @Test func `a pinned leaf is not accepted under a root that nobody trusts, unless that was asked for`() throws {
        let world = try World()
        let leaf = world.server.certificate
        let sent = world.server.chain
        let foreign = TrustRoots.certificates([world.foreignRoot.certificate])
        let strict = PinnedCertificatesTrustEvaluator(certificates: [leaf], roots: foreign)
        #expect(try refusal(by: strict, of: sent)?.code == .noAnchor)
        let system = PinnedCertificatesTrustEvaluator(certificates: [leaf])
        #expect(try refusal(by: system, of: sent)?.code == .noAnchor)
        let anchored = PinnedCertificatesTrustEvaluator(certificates: [leaf], acceptSelfSignedCertificates: true)
        #expect(try refusal(by: anchored, of: sent) == nil)
        let lax = PinnedCertificatesTrustEvaluator(certificates: [leaf], performDefaultValidation: false)
        #expect(try refusal(by: lax, of: sent) == nil)
    }

    @Test func `renewal with the same key needs a new pin`() throws {
        let world = try World()
        let renewed = try world.intermediate.issue([.dns(World.host)], validity: .atNoon, key: world.server.privateKey)
        let evaluator = PinnedCertificatesTrustEvaluator(certificates: [world.server.certificate], roots: world.roots)
        #expect(try refusal(by: evaluator, of: renewed.chain)?.code == .pinMismatch)
        #expect(try refusal(by: evaluator, of: world.server.chain) == nil)
    }

    // MARK: Self-signed certificates

    @Test(arguments: [true, false])
    func `a pinned self-signed certificate is accepted when that is asked for`(isCA: Bool) throws {
        let server = try LocalCertificateAuthority.selfSigned([.dns(World.host)], validity: .atNoon, isCA: isCA)
        let evaluator = PinnedCertificatesTrustEvaluator(
            certificates: [server.certificate],
            acceptSelfSignedCertificates: true
        )
        #expect(try refusal(by: evaluator, of: server.chain) == nil)
        let notAsked = PinnedCertificatesTrustEvaluator(certificates: [server.certificate])
        #expect(try refusal(by: notAsked, of: server.chain)?.code == .noAnchor)
        let other = try LocalCertificateAuthority.selfSigned([.dns(World.host)], validity: .atNoon, isCA: isCA)
        #expect(try refusal(by: evaluator, of: other.chain)?.code == .noAnchor)
        #expect(try refusal(by: evaluator, of: other.chain + server.chain)?.code == .noAnchor)
    }

    @Test func `a self-signed certificate that is accepted is still for one host and one time`() throws {
        let server = try LocalCertificateAuthority.selfSigned([.dns(World.host)], validity: .atNoon)
        let pins = [server.certificate]
        let evaluator = PinnedCertificatesTrustEvaluator(certificates: pins, acceptSelfSignedCertificates: true)
        let chain = server.chain
        #expect(try refusal(by: evaluator, of: chain) == nil)
        #expect(try refusal(by: evaluator, of: chain, host: "other.example.com")?.code == .hostMismatch)
        #expect(try refusal(by: evaluator, of: chain, at: noon.addingTimeInterval(40 * 86_400))?.code == .expired)
        #expect(try refusal(by: evaluator, of: chain, at: noon.addingTimeInterval(-40 * 86_400))?.code == .notYetValid)
    }

    @Test func `the pinned certificates are then the only anchors`() throws {
        let world = try World()
        let evaluator = PinnedCertificatesTrustEvaluator(
            certificates: [world.root.certificate],
            acceptSelfSignedCertificates: true,
            roots: .certificates([world.foreignRoot.certificate])
        )
        #expect(try refusal(by: evaluator, of: world.server.chain) == nil)
        let foreign = try world.foreignRoot.issue([.dns(World.host)], validity: .atNoon)
        #expect(try refusal(by: evaluator, of: foreign.chain)?.code == .noAnchor)
    }

    @Test func `a pinned certificate of a server cannot issue another`() throws {
        let pinned = try LocalCertificateAuthority(name: "Pinned", validity: .atNoon, profile: .server)
        let forged = try pinned.issue([.dns(World.host)], validity: .atNoon).certificate
        let sent = [forged, pinned.certificate]
        let anchored = PinnedCertificatesTrustEvaluator(
            certificates: [pinned.certificate],
            acceptSelfSignedCertificates: true
        )
        #expect(try refusal(by: anchored, of: sent)?.code == .chainInvalid)
        let lax = PinnedCertificatesTrustEvaluator(
            certificates: [pinned.certificate],
            performDefaultValidation: false
        )
        #expect(try refusal(by: lax, of: sent)?.code == .pinMismatch)
        // The twin: an authority may.
        let authority = try LocalCertificateAuthority(name: "Pinned", validity: .atNoon)
        let issued = try authority.issue([.dns(World.host)], validity: .atNoon)
        let pinsAuthority = PinnedCertificatesTrustEvaluator(
            certificates: [authority.certificate],
            acceptSelfSignedCertificates: true
        )
        #expect(try refusal(by: pinsAuthority, of: issued.chain) == nil)
    }

    // MARK: Dates

    @Test(arguments: [(Validity.pastAtNoon, TrustError.Code.expired), (.futureAtNoon, .notYetValid)])
    func `a pin never revives a date by itself`(validity: Validity, code: TrustError.Code) throws {
        let server = try LocalCertificateAuthority.selfSigned([.dns(World.host)], validity: validity)
        let pins = [server.certificate]
        let validating = PinnedCertificatesTrustEvaluator(certificates: pins, acceptSelfSignedCertificates: true)
        #expect(try refusal(by: validating, of: server.chain)?.code == code)
        let lax = PinnedCertificatesTrustEvaluator(
            certificates: pins,
            acceptSelfSignedCertificates: true,
            performDefaultValidation: false
        )
        #expect(try refusal(by: lax, of: server.chain) == nil)
        #expect(try refusal(by: lax, of: server.chain, host: "other.example.com")?.code == .hostMismatch)
    }

    // MARK: The order of the steps

    @Test func `the chain is judged before the host, and the host before the pin`() throws {
        let world = try World()
        let stranger = try world.foreignRoot.issue([.dns(World.host)], validity: .atNoon)
        let evaluator = PinnedCertificatesTrustEvaluator(certificates: [world.server.certificate], roots: world.roots)
        let unpinned = try world.intermediate.issue([.dns(World.host)], validity: .atNoon)
        #expect(try refusal(by: evaluator, of: stranger.chain, host: "other.example.com")?.code == .noAnchor)
        #expect(try refusal(by: evaluator, of: unpinned.chain, host: "other.example.com")?.code == .hostMismatch)
        #expect(try refusal(by: evaluator, of: unpinned.chain)?.code == .pinMismatch)
        #expect(try refusal(by: evaluator, of: world.server.chain) == nil)
    }

    @Test func `the host may be left out, and nothing else with it`() throws {
        let world = try World()
        let evaluator = PinnedCertificatesTrustEvaluator(
            certificates: [world.server.certificate],
            validateHost: false,
            roots: world.roots
        )
        #expect(!evaluator.validatesHost)
        let host = "other.example.com"
        #expect(try refusal(by: evaluator, of: world.server.chain, host: host) == nil)
        let unpinned = try world.intermediate.issue([.dns(host)], validity: .atNoon)
        #expect(try refusal(by: evaluator, of: unpinned.chain, host: host)?.code == .pinMismatch)
        #expect(try refusal(by: evaluator, of: [world.server.certificate], host: host)?.code == .noAnchor)
    }

    @Test func `the defaults are Alamofire's`() throws {
        let world = try World()
        let evaluator = PinnedCertificatesTrustEvaluator(certificates: [world.server.certificate])
        #expect(evaluator.validatesHost)
        #expect(try refusal(by: evaluator, of: world.server.chain)?.code == .noAnchor)
        // The system's roots and one more: everything else at its default.
        let twin = PinnedCertificatesTrustEvaluator(
            certificates: [world.server.certificate],
            roots: .systemAndCertificates([world.root.certificate])
        )
        #expect(try refusal(by: twin, of: world.server.chain) == nil)
        #expect(try refusal(by: twin, of: world.server.chain, host: "other.example.com")?.code == .hostMismatch)
    }
}
