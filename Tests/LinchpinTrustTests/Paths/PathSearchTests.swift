import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

/// Paths that OpenSSL does not find by itself (RFC 4158).
@Suite struct PathSearchTests {
    private let root: LocalCertificateAuthority
    private var evaluator: DefaultTrustEvaluator { DefaultTrustEvaluator(roots: .certificates([root.certificate])) }

    init() throws { root = try LocalCertificateAuthority(name: "Root", validity: .atNoon) }

    private func issuer(_ change: (inout CertificateProfile) -> Void = { _ in }) -> CertificateProfile {
        var profile = CertificateProfile.authority
        change(&profile)
        return profile
    }

    /// Two certificates of one authority of which only the second leads to the root by the rules.
    @Test(arguments: 0..<4)
    func `another certificate of the same authority is taken where the first breaks a rule`(which: Int) throws {
        let profiles = [
            issuer { $0.permittedDNSSubtrees = ["example.org"] },
            issuer { $0.extendedKeyUsages = [.clientAuth] },
            issuer { $0.replacedExtensions["basicConstraints"] = "CA:TRUE" },
            issuer { $0.excludedDNSSubtrees = [".example.org"] },
        ]
        let key = try PrivateKey(.p256)
        let bad = try root.intermediate(name: "Twice", validity: .atNoon, key: key, profile: profiles[which])
        let good = try root.intermediate(name: "Twice", validity: .atNoon, key: key)
        let leaf = try good.issue([.dns(World.host)], validity: .atNoon).certificate
        for pool in [[bad, good], [good, bad]] {
            #expect(try refusal(by: evaluator, of: [leaf] + pool.map(\.certificate)) == nil)
        }
        #expect(try refusal(by: evaluator, of: [leaf, bad.certificate])?.code == .chainInvalid)
    }

    @Test func `another key under the same name is passed by`() throws {
        let impostors = try (0..<5).map { _ in try root.intermediate(name: "Same", validity: .atNoon).certificate }
        var profile = CertificateProfile.server
        profile.replacedExtensions["authorityKeyIdentifier"] = ""
        let good = try root.intermediate(name: "Same", validity: .atNoon)
        let leaf = try good.issue([.dns(World.host)], validity: .atNoon, profile: profile).certificate
        let evaluator = DefaultTrustEvaluator(roots: .certificates([root.certificate]), profile: .privatePKI)
        #expect(try refusal(by: evaluator, of: [leaf] + impostors + [good.certificate]) == nil)
        #expect(try refusal(by: evaluator, of: [leaf] + impostors) != nil)
    }

    @Test func `a way around a cross-certificate that leads nowhere is found`() throws {
        let elsewhere = try LocalCertificateAuthority(name: "Elsewhere", validity: .atNoon)
        let key = try PrivateKey(.p256)
        let away = try elsewhere.intermediate(name: "Cross", validity: .atNoon, key: key)
        let home = try root.intermediate(name: "Cross", validity: .atNoon, key: key)
        let issuing = try home.intermediate(name: "Issuing", validity: .atNoon)
        let server = try issuing.issue([.dns(World.host)], validity: .atNoon)
        let leaf = server.certificate
        let pools = [
            [away, home, issuing], [issuing, away, home], [away, issuing, home], [home, away, issuing],
        ]
        for pool in pools {
            let sent = [leaf] + pool.map(\.certificate) + [elsewhere.certificate]
            let trust = try ServerTrust(presentedChain: sent, host: World.host, date: noon)
            #expect(
                try trust.validatedChain(roots: .certificates([root.certificate]))
                    == [leaf, issuing.certificate, home.certificate, root.certificate]
            )
        }
        let dead = [leaf, issuing.certificate, away.certificate, elsewhere.certificate]
        #expect(try refusal(by: evaluator, of: dead)?.code == .noAnchor)
    }

    @Test func `authorities that signed each other lead out of their circle only to a root`() throws {
        let (a, b) = (try PrivateKey(.p256), try PrivateKey(.p256))
        let first = try root.intermediate(name: "A", validity: .atNoon, key: a)
        let second = try first.intermediate(name: "B", validity: .atNoon, key: b)
        let back = try second.intermediate(name: "A", validity: .atNoon, key: a)
        let server = try second.issue([.dns(World.host)], validity: .atNoon)
        let circle = [server.certificate, second.certificate, back.certificate]
        #expect(try refusal(by: evaluator, of: circle)?.code == .noAnchor)
        #expect(try refusal(by: evaluator, of: circle + [first.certificate]) == nil)
    }

    /// The worst that a server can send: everybody may have issued everybody.
    @Test(arguments: [true, false])
    func `a hundred authorities of one name end the search soon`(haveOneKey: Bool) throws {
        let stranger = try LocalCertificateAuthority(name: "Stranger", validity: .atNoon)
        let key = try PrivateKey(.p256)
        var authority = try stranger.intermediate(name: "Same", validity: .atNoon, key: key)
        var profile = CertificateProfile.authority
        profile.replacedExtensions["authorityKeyIdentifier"] = ""
        profile.replacedExtensions["subjectKeyIdentifier"] = ""
        var sent: [Certificate] = []
        for _ in 0..<100 {
            authority = try authority.intermediate(
                name: "Same",
                validity: .atNoon,
                key: haveOneKey ? key : nil,
                profile: profile
            )
            sent.append(authority.certificate)
        }
        var leaf = CertificateProfile.server
        leaf.replacedExtensions["authorityKeyIdentifier"] = ""
        let server = try authority.issue([.dns(World.host)], validity: .atNoon, profile: leaf)
        let chain = [server.certificate] + sent
        let time = try ContinuousClock().measure {
            let error = try refusal(by: evaluator, of: chain)
            #expect(error != nil)
        }
        #expect(time < .seconds(5))
    }

    @Test func `a good path is found beside a hundred strangers of the same name`() throws {
        let strangers = try (0..<60).map { _ in try root.intermediate(name: "Same", validity: .atNoon).certificate }
        let good = try root.intermediate(name: "Same", validity: .atNoon)
        let server = try good.issue([.dns(World.host)], validity: .atNoon)
        #expect(try refusal(by: evaluator, of: [server.certificate] + strangers + [good.certificate]) == nil)
    }

    @Test func `the last second of a certificate counts on every path`() throws {
        let server = try root.issue([.dns(World.host)], validity: Validity(from: noon.addingTimeInterval(-9), to: noon))
        #expect(try refusal(by: evaluator, of: server.chain, at: noon.addingTimeInterval(0.9)) == nil)
        #expect(try refusal(by: evaluator, of: server.chain, at: noon.addingTimeInterval(1))?.code == .expired)
        #expect(try refusal(by: evaluator, of: server.chain, at: noon.addingTimeInterval(-9)) == nil)
        #expect(try refusal(by: evaluator, of: server.chain, at: noon.addingTimeInterval(-9.1))?.code == .notYetValid)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300])
    func `a time out of all range is refused`(seconds: Double) throws {
        let server = try root.issue([.dns(World.host)], validity: .atNoon)
        let error = try refusal(by: evaluator, of: server.chain, at: Date(timeIntervalSince1970: seconds))
        #expect(error != nil)
        #expect(try refusal(by: evaluator, of: server.chain) == nil)
    }
}
