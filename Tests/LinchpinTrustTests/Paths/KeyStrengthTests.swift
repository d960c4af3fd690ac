import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

/// Keys and signatures of every certificate of a path (CA/B BR §6.1.5, §7.1.3).
@Suite struct KeyStrengthTests {
    private static let keys = [
        RuleCase("an RSA key of 2,047 bits", .leaf, "2047 bits", isForm: false, keyType: .rsa(bits: 2047)),
        RuleCase("a root with an RSA key of 2,047 bits", .root, "2047 bits", isForm: false, keyType: .rsa(bits: 2047)),
        RuleCase("an RSA key of 2,050 bits", .leaf, "no multiple of 8", keyType: .rsa(bits: 2050)),
        RuleCase("a root with an RSA key of 2,050 bits", .root, "no multiple of 8", keyType: .rsa(bits: 2050)),
        RuleCase("a key on P-224", .leaf, "curve is not", keyType: .curve("P-224")),
        RuleCase("a key on secp256k1", .leaf, "curve is not", keyType: .curve("secp256k1")),
        RuleCase("an intermediate's key on secp256k1", .intermediate, "curve is not", keyType: .curve("secp256k1")),
        RuleCase("a root's key on secp256k1", .root, "curve is not", keyType: .curve("secp256k1")),
        RuleCase("a key of another type", .leaf, "type that is not accepted", isForm: false, keyType: .x25519),
    ]

    @Test(arguments: keys)
    func `a key that is not accepted is refused anywhere in the path`(rule: RuleCase) throws { try rule.verify() }

    @Test(arguments: [RuleCase.Place.leaf, .root])
    func `a curve that is given by its numbers is refused`(place: RuleCase.Place) throws {
        let rule = RuleCase("explicit", place, "", keyType: .explicitP256)
        for profile in [ValidationProfile.webPKI, .privatePKI] {
            #expect(try rule.refusal(profile, isBroken: true)?.code == .chainInvalid)
            #expect(try rule.refusal(profile, isBroken: false) == nil)
        }
    }

    @Test(arguments: [KeyType.rsa(bits: 2048), .rsa(bits: 3072), .p384, .p521, .ed25519])
    func `a key that is accepted is so anywhere in the path`(type: KeyType) throws {
        for place in [RuleCase.Place.leaf, .intermediate, .root] {
            let rule = RuleCase("strong", place, "", keyType: type)
            #expect(try rule.refusal(.webPKI, isBroken: true) == nil)
        }
    }

    @Test func `an RSA exponent is an odd number above 1`() throws {
        let usual: [UInt8] = [0x02, 0x03, 0x01, 0x00, 0x01]
        let identity = try LocalCertificateAuthority.selfSigned(
            [.dns(World.host)],
            keyType: .rsa2048,
            validity: .atNoon
        )
        let place = try #require(identity.certificate.der.firstRange(of: usual))
        // An anchor's own signature is not looked at, so its key can be changed.
        func refusal(_ exponent: [UInt8]) throws -> TrustError? {
            var der = identity.certificate.der
            der.replaceSubrange(place, with: exponent)
            let changed = try Certificate(der: der)
            let evaluator = DefaultTrustEvaluator(roots: .certificates([changed]))
            return try LinchpinTrustTests.refusal(by: evaluator, of: [changed])
        }
        #expect(try refusal(usual) == nil)
        #expect(try refusal([0x02, 0x03, 0x01, 0x00, 0x03]) == nil)
        #expect(try refusal([0x02, 0x03, 0x01, 0x00, 0x00])?.reason.contains("exponent") == true)
        #expect(try refusal([0x02, 0x03, 0x81, 0x00, 0x01])?.reason.contains("exponent") == true)
    }

    private static let signatures = [
        RuleCase("a leaf signed over SHA-224", .leaf, "digest", isForm: false) { $0.digest = .sha224 },
        RuleCase("an intermediate signed over SHA-224", .intermediate, "digest", isForm: false) { $0.digest = .sha224 },
    ]

    @Test(arguments: signatures)
    func `a signature over a digest that is not accepted is refused`(rule: RuleCase) throws { try rule.verify() }

    @Test func `the root's own signature does not count`() throws {
        let rule = RuleCase("old root", .root, "") { $0.digest = .sha1 }
        #expect(try rule.refusal(.webPKI, isBroken: true) == nil)
    }
}
