import Foundation
import LinchpinTesting
import Testing

@testable import LinchpinTrust

/// Roots that have grown old, that everybody pins, and that are many.
@Suite struct OldRootTests {
    @Test func `an expired root that a server still sends does no harm where a younger one is trusted`() throws {
        let old = try LocalCertificateAuthority(name: "Old Root", validity: .pastAtNoon)
        let young = try LocalCertificateAuthority(name: "New Root", validity: .atNoon)
        let cross = try old.intermediate(name: "New Root", validity: .atNoon, key: young.privateKey)
        let intermediate = try young.intermediate(validity: .atNoon)
        let server = try intermediate.issue([.dns(World.host)], validity: .atNoon)
        let sent = server.chain + [cross.certificate, old.certificate]
        func trusting(_ root: LocalCertificateAuthority) -> DefaultTrustEvaluator {
            DefaultTrustEvaluator(roots: .certificates([root.certificate]))
        }
        #expect(try refusal(by: trusting(young), of: sent) == nil)
        #expect(try refusal(by: trusting(old), of: sent)?.code == .expired)
    }

    @Test(arguments: [(World.host, nil), ("other.example.com", TrustError.Code.hostMismatch)])
    func `a pinned root lets in any server of its own, and only under its host`(
        _ name: String,
        expected: TrustError.Code?
    ) throws {
        let world = try World()
        let other = try world.intermediate.issue([.dns(name)], validity: .atNoon)
        let evaluator = try PublicKeyPinsTrustEvaluator(
            pins: [world.root.certificate.publicKeyPin.description],
            requiresBackupPin: false,
            roots: world.roots
        )
        #expect(try refusal(by: evaluator, of: other.chain)?.code == expected)
    }

    @Test func `the system's roots are read once`() throws {
        let stores = try (0..<3).map { _ in ObjectIdentifier(try TrustRoots.system.store()) }
        #expect(Set(stores).count == 1)
        #expect(ObjectIdentifier(try TrustRoots.system.store()) == stores.first)
    }
}
