import LinchpinTesting
import LinchpinTrust
import Testing

/// Who holds one certificate of a pinned authority sends another one for the authority's key, with fewer limits.
@Suite struct ForgedAuthorityTests {
    /// What the authority's own certificate says that it may not do.
    enum Limit: CaseIterable {
        case otherNames, excludedName, noAuthorities, noCertificates, otherPurpose

        var profile: CertificateProfile {
            var profile = CertificateProfile.authority
            switch self {
            case .otherNames: profile.permittedDNSSubtrees = ["inside.example"]
            case .excludedName: profile.excludedDNSSubtrees = [World.host]
            case .noAuthorities: profile.pathLength = 0
            case .noCertificates: profile = .server
            case .otherPurpose: profile.extendedKeyUsages = [.emailProtection]
            }
            return profile
        }
    }

    /// A server whose signatures are all right, below an authority with or without the limit that it breaks.
    private struct Scene {
        let authority: LocalCertificateAuthority
        let server: ServerIdentity
        let forged: Certificate

        init(_ limit: Limit, isLimited: Bool) throws {
            authority = try LocalCertificateAuthority(
                name: "Authority",
                validity: .atNoon,
                profile: isLimited ? limit.profile : .authority
            )
            let issuer =
                limit == .noAuthorities ? try authority.intermediate(name: "Below", validity: .atNoon) : authority
            server = try issuer.issue([.dns(limit == .excludedName ? "*.example.com" : World.host)], validity: .atNoon)
            // The key goes into the certificate; nothing is signed with it.
            forged = try LocalCertificateAuthority(name: "Anybody", validity: .atNoon)
                .intermediate(name: "Authority", validity: .atNoon, key: authority.privateKey).certificate
        }

        /// What may be sent, with the forged certificate in the authority's place or beside it.
        var sent: [[Certificate]] {
            [server.chain + [forged], server.chain + [forged, authority.certificate], server.chain]
        }
    }

    @Test(arguments: Limit.allCases, PinnedKeysTests.Kind.allCases)
    func `a pinned key does not make a forged certificate of its authority true`(
        limit: Limit,
        kind: PinnedKeysTests.Kind
    ) throws {
        for isLimited in [true, false] {
            let scene = try Scene(limit, isLimited: isLimited)
            let pinned = scene.authority.certificate
            let roots = TrustRoots.certificates([pinned])
            let lax = try kind.evaluator([pinned], performDefaultValidation: false, roots: roots)
            let foreign = try kind.evaluator([pinned], performDefaultValidation: false, roots: .system)
            for sent in scene.sent {
                #expect(try refusal(by: lax, of: sent)?.code == (isLimited ? .pinMismatch : nil))
                // Without a root of the caller's there is nothing to read the limits from.
                #expect(try refusal(by: foreign, of: sent)?.code == .pinMismatch)
            }
        }
    }

    @Test(arguments: Limit.allCases)
    func `a pinned certificate is the caller's copy, whatever is sent for it`(limit: Limit) throws {
        for isLimited in [true, false] {
            let scene = try Scene(limit, isLimited: isLimited)
            let pins = [scene.authority.certificate]
            let lax = PinnedCertificatesTrustEvaluator(certificates: pins, performDefaultValidation: false)
            for sent in scene.sent {
                #expect(try refusal(by: lax, of: sent)?.code == (isLimited ? .pinMismatch : nil))
            }
        }
    }

    @Test(arguments: PinnedKeysTests.Kind.allCases)
    func `the leaf's own key is enough, whoever issued it`(kind: PinnedKeysTests.Kind) throws {
        let scene = try Scene(.otherNames, isLimited: true)
        let lax = try kind.evaluator([scene.server.certificate], performDefaultValidation: false, roots: .system)
        #expect(try refusal(by: lax, of: scene.server.chain) == nil)
        #expect(try refusal(by: lax, of: [scene.server.certificate]) == nil)
    }
}
