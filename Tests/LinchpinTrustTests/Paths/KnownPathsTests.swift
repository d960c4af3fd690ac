import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

/// A path that was validated once is not validated again; nothing else follows from it.
@Suite struct KnownPathsTests {
    @Test func `a known path is the same path again`() throws {
        let world = try World()
        let roots = world.roots
        for _ in 0..<3 {
            let trust = try ServerTrust(presentedChain: world.server.chain, host: World.host, date: noon)
            #expect(try trust.validatedChain(roots: roots) == world.fullChain)
        }
    }

    /// The leaf is valid for some days, the authorities above it for another time.
    @Test(arguments: [
        (-3.0, TrustError.Code.notYetValid), (-2, nil), (10, nil), (10.5, .expired), (40, .expired),
    ])
    func `the dates of a known path count each time`(_ days: Double, _ code: TrustError.Code?) throws {
        let root = try LocalCertificateAuthority(name: "Root", validity: .days(-100, 300))
        let server = try root.intermediate(name: "Intermediate", validity: .days(-2, 100))
            .issue([.dns(World.host)], validity: .days(-9, 10))
        let evaluator = DefaultTrustEvaluator(roots: .certificates([root.certificate]))
        #expect(try refusal(by: evaluator, of: server.chain) == nil)
        let date = noon.addingTimeInterval(days * 86_400)
        #expect(try refusal(by: evaluator, of: server.chain, at: date)?.code == code)
    }

    @Test func `a path that one profile accepts is judged anew by another`() throws {
        let root = try LocalCertificateAuthority(name: "Root", validity: .atNoon)
        var profile = CertificateProfile.server
        profile.serialNumber = "0"
        let server = try root.issue([.dns(World.host)], validity: .atNoon, profile: profile)
        let roots = TrustRoots.certificates([root.certificate])
        let trust = try ServerTrust(presentedChain: server.chain, host: World.host, date: noon)
        #expect(try trust.validatedChain(roots: roots, profile: .privatePKI).count == 2)
        let error = #expect(throws: TrustError.self) { try trust.validatedChain(roots: roots, profile: .webPKI) }
        #expect(error?.code == .chainInvalid)
        #expect(try trust.validatedChain(roots: roots, profile: .privatePKI).count == 2)
    }

    @Test func `a known path is one to its own anchors`() throws {
        let world = try World()
        let (own, others) = (world.roots, TrustRoots.certificates([world.foreignRoot.certificate]))
        #expect(try refusal(by: DefaultTrustEvaluator(roots: own), of: world.server.chain) == nil)
        #expect(try refusal(by: DefaultTrustEvaluator(roots: others), of: world.server.chain)?.code == .noAnchor)
    }

    @Test func `other certificates are another path`() throws {
        let world = try World()
        let evaluator = world.evaluator()
        #expect(try refusal(by: evaluator, of: world.server.chain) == nil)
        #expect(try refusal(by: evaluator, of: [world.server.certificate])?.code == .noAnchor)
        let stranger = try world.foreignRoot.issue([.dns(World.host)], validity: .atNoon)
        #expect(try refusal(by: evaluator, of: [stranger.certificate] + world.server.chain.dropFirst()) != nil)
    }

    @Test func `a leaf whose signature was changed is refused after the real one`() throws {
        let world = try World()
        let evaluator = world.evaluator()
        #expect(try refusal(by: evaluator, of: world.server.chain) == nil)
        var der = world.server.certificate.der
        der[der.count - 1] ^= 1
        let forged = try Certificate(der: der)
        #expect(forged.publicKeyPin == world.server.certificate.publicKeyPin)
        #expect(try refusal(by: evaluator, of: [forged] + world.server.chain.dropFirst())?.code == .chainInvalid)
    }

    @Test func `names and pins are judged each time`() throws {
        let world = try World()
        let roots = world.roots
        let other = try PublicKeyPinsTrustEvaluator(
            pins: [world.foreignRoot.certificate.publicKeyPin.description],
            requiresBackupPin: false,
            roots: roots
        )
        #expect(try refusal(by: DefaultTrustEvaluator(roots: roots), of: world.server.chain) == nil)
        let elsewhere = try refusal(
            by: DefaultTrustEvaluator(roots: roots),
            of: world.server.chain,
            host: "www.example.com"
        )
        #expect(elsewhere?.code == .hostMismatch)
        #expect(try refusal(by: other, of: world.server.chain)?.code == .pinMismatch)
    }

    @Test func `what a server sends does not pile up`() throws {
        let world = try World()
        let evaluator = world.evaluator()
        for _ in 0..<40 {
            let server = try world.intermediate.issue([.dns(World.host)], validity: .atNoon)
            for _ in 0..<2 { #expect(try refusal(by: evaluator, of: server.chain) == nil) }
        }
        #expect(try refusal(by: evaluator, of: world.server.chain) == nil)
    }
}
