import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

/// Which chains are built and verified (RFC 5280 §6), without regard to pins.
@Suite struct ChainTests {
    private func validatedChain(
        _ chain: [Certificate],
        roots: TrustRoots,
        at date: Date = noon
    ) throws -> [Certificate] {
        try ServerTrust(presentedChain: chain, host: World.host, date: date).validatedChain(roots: roots)
    }

    private func code(_ chain: [Certificate], roots: TrustRoots, at date: Date = noon) -> TrustError.Code? {
        let error = #expect(throws: TrustError.self) { try validatedChain(chain, roots: roots, at: date) }
        return error?.code
    }

    // MARK: What the server sends

    @Test func `the chain goes from the leaf to the root`() throws {
        let world = try World()
        #expect(try validatedChain(world.server.chain, roots: world.roots) == world.fullChain)
        #expect(code(world.server.chain, roots: .certificates([world.foreignRoot.certificate])) == .noAnchor)
    }

    @Test func `a root that is sent is not trusted for it`() throws {
        let world = try World()
        #expect(try validatedChain(world.fullChain, roots: world.roots) == world.fullChain)
        #expect(code(world.fullChain, roots: .certificates([world.foreignRoot.certificate])) == .noAnchor)
    }

    @Test func `a missing intermediate is no anchor, unless the caller trusts it`() throws {
        let world = try World()
        let leaf = [world.server.certificate]
        #expect(code(leaf, roots: world.roots) == .noAnchor)
        let roots = TrustRoots.certificates([world.root.certificate, world.intermediate.certificate])
        #expect(try validatedChain(leaf, roots: roots) == world.fullChain)
    }

    @Test func `the order after the leaf does not matter, and strangers do no harm`() throws {
        let world = try World()
        let second = try world.intermediate.intermediate(name: "Second", validity: .atNoon)
        let server = try second.issue([.dns(World.host)], validity: .atNoon)
        let stranger = try world.foreignRoot.issue(["stranger.example"], validity: .atNoon).certificate
        let leaf = server.certificate
        let (low, high) = (second.certificate, world.intermediate.certificate)
        let chains: [[Certificate]] = [
            [leaf, low, high], [leaf, high, low], [leaf, stranger, high, low], [leaf, low, stranger, high],
            [leaf, world.root.certificate, high, low], [leaf, leaf, low, low, high],
            [leaf, world.foreignRoot.certificate, stranger, low, high, world.root.certificate],
        ]
        for chain in chains {
            #expect(try validatedChain(chain, roots: world.roots) == [leaf, low, high, world.root.certificate])
        }
        #expect(code([low, leaf, high], roots: .certificates([world.foreignRoot.certificate])) == .noAnchor)
    }

    @Test func `the first certificate is the server's, whatever follows`() throws {
        let world = try World()
        let stranger = try world.foreignRoot.issue([.dns(World.host)], validity: .atNoon).certificate
        #expect(code([stranger] + world.fullChain, roots: world.roots) == .noAnchor)
        #expect(try validatedChain(world.fullChain + [stranger], roots: world.roots) == world.fullChain)
    }

    @Test func `no certificate is nothing to judge`() throws {
        let error = #expect(throws: TrustError.self) {
            try ServerTrust(presentedChain: [], host: World.host, date: noon)
        }
        #expect(error?.code == .evaluationUnavailable)
        let judged = try refusal(by: DisabledTrustEvaluator(), of: [])
        #expect(judged?.code == .evaluationUnavailable)
        #expect(try refusal(by: DisabledTrustEvaluator(), of: World().server.chain) == nil)
    }

    @Test func `a hundred strangers do no harm`() throws {
        let world = try World()
        let strangers = try (0..<100).map { try world.foreignRoot.issue([.dns("\($0).example")], validity: .atNoon) }
        let chain = [world.server.certificate] + strangers.map(\.certificate) + [world.intermediate.certificate]
        #expect(try validatedChain(chain, roots: world.roots) == world.fullChain)
    }

    // MARK: Anchors

    @Test func `any certificate may be an anchor`() throws {
        let world = try World()
        let chain = world.server.chain
        let intermediate = TrustRoots.certificates([world.intermediate.certificate])
        #expect(try validatedChain(chain, roots: intermediate) == chain)
        #expect(try validatedChain(world.fullChain, roots: intermediate) == chain)
        let leaf = TrustRoots.certificates([world.server.certificate])
        for sent in [[world.server.certificate], chain, world.fullChain] {
            #expect(try validatedChain(sent, roots: leaf) == [world.server.certificate])
        }
        #expect(code(chain, roots: .certificates([world.foreignRoot.certificate])) == .noAnchor)
    }

    @Test func `the chain goes up to the root where both an intermediate and the root are anchors`() throws {
        let world = try World()
        for anchors in [
            [world.intermediate.certificate, world.root.certificate],
            [world.root.certificate, world.intermediate.certificate],
            [world.server.certificate, world.intermediate.certificate, world.root.certificate],
        ] {
            #expect(try validatedChain(world.server.chain, roots: .certificates(anchors)) == world.fullChain)
        }
    }

    @Test func `an anchor that another root signed for itself needs no other`() throws {
        // A root that changed its key: the new key's certificate is signed with the old key, under the same name.
        let old = try LocalCertificateAuthority(name: "Root", validity: .atNoon)
        let rollover = try old.intermediate(name: "Root", validity: .atNoon)
        #expect(rollover.certificate.isSelfIssued)
        let server = try rollover.issue([.dns(World.host)], validity: .atNoon)
        #expect(
            try validatedChain([server.certificate], roots: .certificates([rollover.certificate]))
                == [server.certificate, rollover.certificate]
        )
        #expect(code([server.certificate], roots: .certificates([old.certificate])) == .noAnchor)
    }

    @Test func `an anchor counts though the root above it is past its time`() throws {
        let root = try LocalCertificateAuthority(name: "Root", validity: .pastAtNoon)
        let intermediate = try root.intermediate(name: "Intermediate", validity: .atNoon)
        let server = try intermediate.issue([.dns(World.host)], validity: .atNoon)
        let both = TrustRoots.certificates([intermediate.certificate, root.certificate])
        #expect(try validatedChain(server.chain, roots: both) == server.chain)
        #expect(code(server.chain, roots: .certificates([root.certificate])) == .expired)
    }

    @Test func `a leaf that is an anchor counts though what signed it is past its time`() throws {
        let root = try LocalCertificateAuthority(name: "Root", validity: .pastAtNoon)
        let server = try root.issue([.dns(World.host)], validity: .atNoon)
        let sent = [server.certificate, root.certificate]
        #expect(try validatedChain(sent, roots: .certificates([server.certificate])) == [server.certificate])
        #expect(code(sent, roots: .certificates([root.certificate])) == .expired)
    }

    @Test func `an old root that is sent past its time does no harm`() throws {
        let old = try LocalCertificateAuthority(name: "Old Root", validity: .pastAtNoon)
        let new = try LocalCertificateAuthority(name: "New Root", validity: .atNoon)
        let cross = try old.intermediate(name: "New Root", validity: .pastAtNoon, key: new.privateKey)
        let intermediate = try new.intermediate(name: "Intermediate", validity: .atNoon)
        let server = try intermediate.issue([.dns(World.host)], validity: .atNoon)
        let sent = server.chain + [cross.certificate, old.certificate]
        #expect(
            try validatedChain(sent, roots: .certificates([new.certificate])) == server.chain + [new.certificate]
        )
        #expect(code(sent, roots: .certificates([old.certificate])) == .expired)
    }

    @Test func `a cross-signed chain ends at the root that is trusted`() throws {
        let old = try LocalCertificateAuthority(name: "Old Root", validity: .atNoon)
        let new = try LocalCertificateAuthority(name: "New Root", validity: .atNoon)
        let cross = try old.intermediate(name: "New Root", validity: .atNoon, key: new.privateKey)
        let server = try new.issue([.dns(World.host)], validity: .atNoon)
        let sent = [server.certificate, cross.certificate]
        #expect(
            try validatedChain(sent, roots: .certificates([old.certificate])) == sent + [old.certificate]
        )
        #expect(
            try validatedChain(sent, roots: .certificates([old.certificate, new.certificate]))
                == [server.certificate, new.certificate]
        )
    }

    @Test func `the system's roots trust no certificate of ours, until it is added`() throws {
        let world = try World()
        #expect(code(world.fullChain, roots: .system) == .noAnchor)
        let roots = TrustRoots.systemAndCertificates([world.root.certificate])
        #expect(try validatedChain(world.fullChain, roots: roots) == world.fullChain)
    }

    // MARK: Self-signed certificates

    @Test(arguments: [true, false])
    func `a self-signed certificate is its own anchor, authority or not`(isCA: Bool) throws {
        let server = try LocalCertificateAuthority.selfSigned([.dns(World.host)], validity: .atNoon, isCA: isCA)
        #expect(try validatedChain(server.chain, roots: .certificates([server.certificate])) == server.chain)
        let other = try LocalCertificateAuthority.selfSigned([.dns(World.host)], validity: .atNoon, isCA: isCA)
        #expect(code(server.chain, roots: .certificates([other.certificate])) == .noAnchor)
    }

    @Test func `a self-signed authority that may only sign certificates is no server, and the error says so`() throws {
        let world = try World()
        let error = #expect(throws: TrustError.self) {
            try validatedChain([world.root.certificate], roots: world.roots)
        }
        #expect(error?.code == .chainInvalid)
        #expect(error?.reason.contains("purpose") == true)
    }

    @Test func `an anchor that is no authority cannot issue`() throws {
        let root = try LocalCertificateAuthority(validity: .atNoon)
        // Two servers that misuse their keys: one signed itself, one was signed by a root.
        let selfSigned = try LocalCertificateAuthority(name: "Pinned", validity: .atNoon, profile: .server)
        let issued = try root.intermediate(name: "Pinned", validity: .atNoon, profile: .server)
        for pinned in [selfSigned, issued] {
            let roots = TrustRoots.certificates([pinned.certificate])
            let forged = try pinned.issue([.dns(World.host)], validity: .atNoon).certificate
            for sent in [[forged], [forged, pinned.certificate], [forged, pinned.certificate, root.certificate]] {
                #expect(code(sent, roots: roots) == .chainInvalid)
            }
            #expect(try validatedChain([pinned.certificate], roots: roots) == [pinned.certificate])
        }
    }

    // MARK: Dates

    @Test func `validity is exact to the second`() throws {
        let world = try World()
        let start = world.server.certificate.notBefore
        let end = world.server.certificate.notAfter
        #expect(try validatedChain(world.server.chain, roots: world.roots, at: start) == world.fullChain)
        #expect(try validatedChain(world.server.chain, roots: world.roots, at: end) == world.fullChain)
        let (late, tooEarly) = (end.addingTimeInterval(0.999), start.addingTimeInterval(-0.001))
        #expect(try validatedChain(world.server.chain, roots: world.roots, at: late) == world.fullChain)
        #expect(code(world.server.chain, roots: world.roots, at: tooEarly) == .notYetValid)
        #expect(code(world.server.chain, roots: world.roots, at: end.addingTimeInterval(1)) == .expired)
    }

    @Test(arguments: ["leaf", "intermediate", "root"], [Validity.pastAtNoon, .futureAtNoon])
    func `every certificate of the chain has to be in its time`(which: String, validity: Validity) throws {
        func time(of name: String) -> Validity { name == which ? validity : .atNoon }
        let root = try LocalCertificateAuthority(name: "Root", validity: time(of: "root"))
        let intermediate = try root.intermediate(name: "Intermediate", validity: time(of: "intermediate"))
        let server = try intermediate.issue([.dns(World.host)], validity: time(of: "leaf"))
        let roots = TrustRoots.certificates([root.certificate])
        let expected: TrustError.Code = validity == .pastAtNoon ? .expired : .notYetValid
        #expect(code(server.chain, roots: roots) == expected)
        let inTime = validity == .pastAtNoon ? noon.addingTimeInterval(-100_000) : noon.addingTimeInterval(100_000)
        #expect(try validatedChain(server.chain, roots: roots, at: inTime).count == 3)
    }

    @Test func `the error about a date has both dates`() throws {
        let root = try LocalCertificateAuthority(name: "Root", validity: .atNoon)
        let server = try root.issue([.dns(World.host)], validity: .pastAtNoon)
        let error = #expect(throws: TrustError.self) {
            try validatedChain(server.chain, roots: .certificates([root.certificate]))
        }
        for word in [noon.rfc3339, server.certificate.notAfter.rfc3339, server.certificate.subject] {
            #expect(error?.reason.contains(word) == true)
        }
    }

    // MARK: Other rules

    /// A chain that breaks one rule.
    struct Broken: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let profile: @Sendable (inout CertificateProfile, _ ofLeaf: Bool) -> Void
        var keyType = KeyType.p256
        var names: [CertificateName] = [.dns(World.host)]
        var depth = 1
    }

    private static let broken = [
        Broken(testDescription: "an intermediate that is no authority") { if !$1 { $0.isCA = false } },
        Broken(testDescription: "an intermediate that may not sign certificates") {
            if !$1 { $0.keyUsages = [.digitalSignature] }
        },
        Broken(testDescription: "an intermediate for clients only") {
            if !$1 { $0.extendedKeyUsages = [.clientAuth] }
        },
        Broken(
            testDescription: "a path longer than an intermediate allows",
            profile: { if !$1 { $0.pathLength = 0 } },
            depth: 2
        ),
        Broken(testDescription: "a path longer than ten intermediates", profile: { _, _ in }, depth: 12),
        Broken(testDescription: "a name outside of what an intermediate may issue for") {
            if !$1 { $0.permittedDNSSubtrees = ["other.example"] }
        },
        Broken(testDescription: "a name that an intermediate may not issue for") {
            if !$1 { $0.excludedDNSSubtrees = ["example.com"] }
        },
        Broken(testDescription: "a leaf for clients only") { if $1 { $0.extendedKeyUsages = [.clientAuth] } },
        Broken(testDescription: "a leaf for signing code only") { if $1 { $0.extendedKeyUsages = [.codeSigning] } },
        Broken(testDescription: "a leaf that may only sign certificates") { if $1 { $0.keyUsages = [.keyCertSign] } },
        Broken(testDescription: "a leaf signed over SHA-1") { if $1 { $0.digest = .sha1 } },
        Broken(testDescription: "an intermediate signed over SHA-1") { if !$1 { $0.digest = .sha1 } },
        Broken(
            testDescription: "a leaf with an RSA key of 1,024 bits",
            profile: { _, _ in },
            keyType: .rsa(bits: 1024)
        ),
    ]

    private func chain(
        _ rules: Broken,
        keyType: KeyType,
        depth: Int,
        isBroken: Bool
    ) throws -> ([Certificate], TrustRoots) {
        let root = try LocalCertificateAuthority(name: "Root", validity: .atNoon)
        var authority = root
        for level in 0..<depth {
            var profile = CertificateProfile.authority
            if isBroken { rules.profile(&profile, false) }
            authority = try authority.intermediate(name: "Intermediate \(level)", validity: .atNoon, profile: profile)
        }
        var profile = CertificateProfile.server
        if isBroken { rules.profile(&profile, true) }
        let server = try authority.issue(rules.names, keyType: keyType, validity: .atNoon, profile: profile)
        return (server.chain, .certificates([root.certificate]))
    }

    @Test(arguments: broken)
    func `a chain that breaks a rule is refused`(rules: Broken) throws {
        let (sent, roots) = try chain(rules, keyType: rules.keyType, depth: rules.depth, isBroken: true)
        #expect(code(sent, roots: roots) == .chainInvalid)
        let (good, goodRoots) = try chain(rules, keyType: .p256, depth: min(rules.depth, 2), isBroken: false)
        #expect(try validatedChain(good, roots: goodRoots).count == min(rules.depth, 2) + 2)
    }

    @Test func `a signature by another key under the same name is refused`() throws {
        let world = try World()
        let impostor = try LocalCertificateAuthority(name: "Root", validity: .atNoon)
        let intermediate = try impostor.intermediate(name: "Intermediate", validity: .atNoon)
        let forged = try intermediate.issue([.dns(World.host)], validity: .atNoon)
        for sent in [
            forged.chain, [forged.certificate, world.intermediate.certificate], forged.chain + world.fullChain,
        ] {
            let refused = code(sent, roots: world.roots)
            #expect(refused == .noAnchor || refused == .chainInvalid)
        }
    }

    @Test func `a certificate that was changed after it was signed is refused`() throws {
        let world = try World()
        var der = world.server.certificate.der
        der[der.count - 1] ^= 1
        let changed = try Certificate(der: der)
        #expect(code([changed, world.intermediate.certificate], roots: world.roots) == .chainInvalid)
        #expect(
            code([changed, world.intermediate.certificate], roots: .certificates([world.intermediate.certificate]))
                == .chainInvalid
        )
    }

    @Test(arguments: [KeyType.rsa2048, .p384, .p521, .ed25519, .rsaPSS(bits: 2048)])
    func `chains of every kind of key are verified`(type: KeyType) throws {
        let root = try LocalCertificateAuthority(name: "Root", keyType: type, validity: .atNoon)
        let server = try root.issue([.dns(World.host)], keyType: type, validity: .atNoon)
        #expect(try validatedChain(server.chain, roots: .certificates([root.certificate])).count == 2)
    }
}
