import LinchpinTesting
import LinchpinTrust
import Testing

/// The two evaluators of public keys, which differ only in how the keys are given.
@Suite struct PinnedKeysTests {
    enum Kind: CaseIterable {
        case keys, pins

        func evaluator(
            _ pinned: [Certificate],
            performDefaultValidation: Bool = true,
            validateHost: Bool = true,
            roots: TrustRoots
        ) throws -> any ServerTrustEvaluating {
            switch self {
            case .keys:
                PublicKeysTrustEvaluator(
                    keys: pinned.map(\.publicKey),
                    performDefaultValidation: performDefaultValidation,
                    validateHost: validateHost,
                    roots: roots
                )
            case .pins:
                try PublicKeyPinsTrustEvaluator(
                    pins: pinned.map(\.publicKeyPin.description),
                    requiresBackupPin: false,
                    performDefaultValidation: performDefaultValidation,
                    validateHost: validateHost,
                    roots: roots
                )
            }
        }
    }

    @Test(arguments: Kind.allCases, [true, false])
    func `the key of the leaf, the intermediate or the root may be pinned`(kind: Kind, isValidated: Bool) throws {
        let world = try World()
        let stranger = try world.foreignRoot.issue([.dns(World.host)], validity: .atNoon).certificate
        for pinned in world.fullChain {
            for pins in [[pinned], [stranger, pinned], [pinned, world.foreignRoot.certificate]] {
                let evaluator = try kind.evaluator(pins, performDefaultValidation: isValidated, roots: world.roots)
                #expect(try refusal(by: evaluator, of: world.fullChain) == nil, "\(pinned.subject)")
            }
        }
        for pins in [[stranger], [world.foreignRoot.certificate, stranger]] {
            let evaluator = try kind.evaluator(pins, performDefaultValidation: isValidated, roots: world.roots)
            #expect(try refusal(by: evaluator, of: world.fullChain)?.code == .pinMismatch)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a pinned root key matches though the server does not send the root`(kind: Kind) throws {
        let world = try World()
        let evaluator = try kind.evaluator([world.root.certificate], roots: world.roots)
        #expect(try refusal(by: evaluator, of: world.server.chain) == nil)
        let anchors = TrustRoots.certificates([world.intermediate.certificate, world.root.certificate])
        let both = try kind.evaluator([world.root.certificate], roots: anchors)
        #expect(try refusal(by: both, of: world.server.chain) == nil)
        let intermediateOnly = TrustRoots.certificates([world.intermediate.certificate])
        let short = try kind.evaluator([world.root.certificate], roots: intermediateOnly)
        #expect(try refusal(by: short, of: world.fullChain)?.code == .pinMismatch)
    }

    @Test(arguments: Kind.allCases, [true, false])
    func `a certificate with a pinned key that a server appends is worth nothing`(
        kind: Kind,
        isValidated: Bool
    ) throws {
        let world = try World()
        let rogue = try world.foreignRoot.issue([.dns(World.host)], validity: .atNoon)
        let roots = TrustRoots.certificates([world.root.certificate, world.foreignRoot.certificate])
        // Anyone can have a certificate made out for a key that is not theirs, or make one.
        let copied = try world.foreignRoot.intermediate(
            name: "Foreign Root",
            validity: .atNoon,
            key: world.intermediate.privateKey
        )
        for pinned in world.fullChain {
            let evaluator = try kind.evaluator([pinned], performDefaultValidation: isValidated, roots: roots)
            for appended in [[pinned], world.fullChain, [copied.certificate], [copied.certificate] + world.fullChain] {
                let sent = rogue.chain + appended
                #expect(try refusal(by: evaluator, of: sent)?.code == .pinMismatch, "\(pinned.subject)")
            }
            #expect(try refusal(by: evaluator, of: world.fullChain + rogue.chain) == nil, "\(pinned.subject)")
        }
    }

    @Test(arguments: Kind.allCases)
    func `a chain under a pinned authority's name and another's key is refused`(kind: Kind) throws {
        let world = try World()
        let impostor = try LocalCertificateAuthority(name: "Intermediate", validity: .atNoon)
        let forged = try impostor.issue([.dns(World.host)], validity: .atNoon).certificate
        let lax = try kind.evaluator(
            [world.intermediate.certificate],
            performDefaultValidation: false,
            roots: world.roots
        )
        for sent in [[forged, world.intermediate.certificate], [forged, impostor.certificate] + world.fullChain] {
            #expect(try refusal(by: lax, of: sent)?.code == .pinMismatch)
        }
        #expect(try refusal(by: lax, of: world.server.chain) == nil)
    }

    @Test(arguments: Kind.allCases, [true, false])
    func `renewal with the same key survives, a new key does not`(kind: Kind, isValidated: Bool) throws {
        let world = try World()
        let evaluator = try kind.evaluator(
            [world.server.certificate],
            performDefaultValidation: isValidated,
            roots: world.roots
        )
        let names: [CertificateName] = [.dns(World.host)]
        let renewed = try world.intermediate.issue(names, validity: .atNoon, key: world.server.privateKey)
        #expect(renewed.certificate != world.server.certificate)
        #expect(try refusal(by: evaluator, of: renewed.chain) == nil)
        let rekeyed = try world.intermediate.issue(names, validity: .atNoon)
        #expect(try refusal(by: evaluator, of: rekeyed.chain)?.code == .pinMismatch)
    }

    @Test(arguments: Kind.allCases)
    func `a pinned key of a server cannot issue another`(kind: Kind) throws {
        let pinned = try LocalCertificateAuthority(name: "Pinned", validity: .atNoon, profile: .server)
        let forged = try pinned.issue([.dns(World.host)], validity: .atNoon).certificate
        let sent = [forged, pinned.certificate]
        let roots = TrustRoots.certificates([pinned.certificate])
        let validating = try kind.evaluator([pinned.certificate], roots: roots)
        #expect(try refusal(by: validating, of: sent)?.code == .chainInvalid)
        let lax = try kind.evaluator([pinned.certificate], performDefaultValidation: false, roots: roots)
        #expect(try refusal(by: lax, of: sent)?.code == .pinMismatch)
        let authority = try LocalCertificateAuthority(name: "Pinned", validity: .atNoon)
        let issued = try authority.issue([.dns(World.host)], validity: .atNoon).certificate
        let twin = try kind.evaluator(
            [authority.certificate],
            performDefaultValidation: false,
            roots: .certificates([authority.certificate])
        )
        #expect(try refusal(by: twin, of: [issued, authority.certificate]) == nil)
    }

    @Test(arguments: Kind.allCases)
    func `a pinned authority that is under no root counts for itself alone`(kind: Kind) throws {
        let world = try World()
        for pinned in [world.intermediate.certificate, world.root.certificate] {
            let lax = try kind.evaluator([pinned], performDefaultValidation: false, roots: .system)
            let error = try refusal(by: lax, of: world.fullChain)
            #expect(error?.code == .pinMismatch)
            #expect(error?.validatedChain == [])
            let twin = try kind.evaluator([pinned], performDefaultValidation: false, roots: world.roots)
            #expect(try refusal(by: twin, of: world.fullChain) == nil)
            let empty = try kind.evaluator([pinned], performDefaultValidation: false, roots: .certificates([]))
            #expect(try refusal(by: empty, of: world.fullChain)?.code == .pinMismatch)
        }
    }

    @Test(arguments: Kind.allCases)
    func `a self-signed server is accepted by its pin alone only without validation`(kind: Kind) throws {
        for validity in [Validity.atNoon, .pastAtNoon, .futureAtNoon] {
            let server = try LocalCertificateAuthority.selfSigned([.dns(World.host)], validity: validity)
            let validating = try kind.evaluator([server.certificate], roots: .system)
            #expect(try refusal(by: validating, of: server.chain)?.code == .noAnchor)
            let lax = try kind.evaluator([server.certificate], performDefaultValidation: false, roots: .system)
            #expect(try refusal(by: lax, of: server.chain) == nil)
            #expect(try refusal(by: lax, of: server.chain, host: "other.example.com")?.code == .hostMismatch)
        }
    }

    @Test(arguments: Kind.allCases, [(Validity.pastAtNoon, TrustError.Code.expired), (.futureAtNoon, .notYetValid)])
    func `a pin never revives a date by itself`(
        kind: Kind,
        dates: (validity: Validity, code: TrustError.Code)
    ) throws {
        let root = try LocalCertificateAuthority(validity: .atNoon)
        let roots = TrustRoots.certificates([root.certificate])
        let server = try root.issue([.dns(World.host)], validity: dates.validity)
        let validating = try kind.evaluator([server.certificate], roots: roots)
        #expect(try refusal(by: validating, of: server.chain)?.code == dates.code)
        let lax = try kind.evaluator([server.certificate], performDefaultValidation: false, roots: roots)
        #expect(try refusal(by: lax, of: server.chain) == nil)
    }

    @Test(arguments: Kind.allCases)
    func `the chain is judged before the host, and the host before the pin`(kind: Kind) throws {
        let world = try World()
        let stranger = try world.foreignRoot.issue([.dns(World.host)], validity: .atNoon)
        let unpinned = try world.intermediate.issue([.dns(World.host)], validity: .atNoon)
        let evaluator = try kind.evaluator([world.server.certificate], roots: world.roots)
        #expect(try refusal(by: evaluator, of: stranger.chain, host: "other.example.com")?.code == .noAnchor)
        #expect(try refusal(by: evaluator, of: unpinned.chain, host: "other.example.com")?.code == .hostMismatch)
        #expect(try refusal(by: evaluator, of: unpinned.chain)?.code == .pinMismatch)
        #expect(try refusal(by: evaluator, of: world.server.chain) == nil)
    }

    @Test(arguments: Kind.allCases)
    func `the host may be left out, and nothing else with it`(kind: Kind) throws {
        let world = try World()
        let evaluator = try kind.evaluator([world.root.certificate], validateHost: false, roots: world.roots)
        #expect(!evaluator.validatesHost)
        #expect(try refusal(by: evaluator, of: world.server.chain, host: "other.example.com") == nil)
        #expect(try refusal(by: evaluator, of: [world.server.certificate])?.code == .noAnchor)
        // A pinned root lets any leaf below it in: the host is what keeps others out.
        let neighbour = try world.root.issue(["neighbour.example"], validity: .atNoon)
        #expect(try refusal(by: evaluator, of: neighbour.chain) == nil)
        let checking = try kind.evaluator([world.root.certificate], roots: world.roots)
        #expect(try refusal(by: checking, of: neighbour.chain)?.code == .hostMismatch)
    }

    @Test(arguments: [KeyType.rsa2048, .p384, .p521, .ed25519, .rsaPSS(bits: 2048)])
    func `keys of every kind may be pinned, also beside others in the chain`(type: KeyType) throws {
        let root = try LocalCertificateAuthority(name: "Root", validity: .atNoon)
        let roots = TrustRoots.certificates([root.certificate])
        let server = try root.issue([.dns(World.host)], keyType: type, validity: .atNoon)
        for pinned in [server.certificate, root.certificate] {
            let evaluator = try PublicKeyPinsTrustEvaluator(
                pins: [pinned.publicKeyPin.description],
                requiresBackupPin: false,
                roots: roots
            )
            #expect(try refusal(by: evaluator, of: server.chain) == nil)
        }
        let other = try LocalCertificateAuthority.selfSigned(keyType: .p256).pin.description
        let evaluator = try PublicKeyPinsTrustEvaluator(pins: [other], requiresBackupPin: false, roots: roots)
        #expect(try refusal(by: evaluator, of: server.chain)?.code == .pinMismatch)
    }
}
