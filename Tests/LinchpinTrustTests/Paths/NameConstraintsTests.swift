import LinchpinTesting
import LinchpinTrust
import Testing

/// What OpenSSL's name constraints leave out (RFC 5280 §4.2.1.10).
@Suite struct NameConstraintsTests {
    private static func constraints(
        _ words: String,
        _ word: String,
        isForm: Bool = false,
        names: [CertificateName] = [.dns(World.host)]
    ) -> RuleCase {
        RuleCase(words, .intermediate, word, isForm: isForm, names: names) {
            $0.replacedExtensions["nameConstraints"] = "critical,\(words)"
        }
    }

    private static let forms = [
        constraints("DER:3000", "an empty list"),
        constraints("permitted;DNS:.example.com", "an empty label", isForm: true),
        constraints("permitted;DNS:example.com,excluded;DNS:*.example.org", "a character that no host name has"),
        constraints("permitted;DNS:example.com,permitted;IP:192.0.2.0/255.0.255.0", "an address range"),
        constraints("permitted;DNS:example.com,excluded;IP:192.0.2.0/0.0.0.255", "an address range"),
        constraints("permitted;DNS:example.com,permitted;email:a@b@example.com", "a mail address"),
    ]

    @Test(arguments: forms)
    func `constraints of a form that does not exist are refused`(rule: RuleCase) throws { try rule.verify() }

    @Test(arguments: [
        "permitted;DNS:example.com", "permitted;DNS:Example.COM", "excluded;DNS:other.example",
        "permitted;DNS:example.com,permitted;IP:192.0.2.0/255.255.254.0,excluded;IP:::/ffff::",
        "permitted;DNS:example.com,permitted;IP:0.0.0.0/0.0.0.0,excluded;IP:192.0.2.1/255.255.255.255",
    ])
    func `constraints that the host keeps let it pass`(words: String) throws {
        let rule = Self.constraints(words, "")
        for profile in [ValidationProfile.webPKI, .privatePKI] {
            #expect(try rule.refusal(profile, isBroken: true) == nil)
        }
    }

    private static let wildcard: [CertificateName] = [.dns("*.example.com")]

    private static let wildcards = [
        constraints("excluded;DNS:api.example.com", "a wildcard stands for", names: wildcard),
        constraints("excluded;DNS:evil.example.com", "a wildcard stands for", names: wildcard),
        constraints("excluded;DNS:EVIL.example.com", "a wildcard stands for", names: wildcard),
    ]

    @Test(arguments: wildcards)
    func `a wildcard that stands for an excluded name is refused`(rule: RuleCase) throws { try rule.verify() }

    @Test(arguments: ["excluded;DNS:a.b.example.com", "excluded;DNS:example.org", "permitted;DNS:example.com"])
    func `a wildcard that stands for no excluded name is accepted`(words: String) throws {
        let rule = Self.constraints(words, "", names: Self.wildcard)
        #expect(try rule.refusal(.webPKI, isBroken: true) == nil)
    }

    private static func mapping(_ words: String) -> RuleCase {
        constraints(words, "an IPv6 address maps", names: [.dns(World.host), .ip("::ffff:10.1.2.3")])
    }

    private static let excludedMappings = [
        mapping("excluded;IP:10.0.0.0/255.0.0.0"), mapping("excluded;IP:0.0.0.0/0.0.0.0"),
        mapping("excluded;IP:11.0.0.0/255.0.0.0,excluded;IP:10.1.2.3/255.255.255.255"),
        mapping("permitted;IP:::/::,excluded;IP:10.1.2.2/255.255.255.254"),
    ]

    @Test(arguments: excludedMappings)
    func `an IPv6 address that maps an excluded one is refused`(rule: RuleCase) throws { try rule.verify() }

    @Test(arguments: [
        "excluded;IP:11.0.0.0/255.0.0.0", "excluded;IP:10.1.2.0/255.255.255.254", "permitted;IP:::/::",
        "excluded;IP:2001:db8::/ffff:ffff::", "excluded;DNS:example.org",
    ])
    func `an IPv6 address that maps one that is not excluded is accepted`(words: String) throws {
        #expect(try Self.mapping(words).refusal(.webPKI, isBroken: true) == nil)
    }

    @Test(arguments: ["excluded;DNS:example.com", "permitted;DNS:api.example.com", "permitted;DNS:example.org"])
    func `a wildcard outside of what is permitted is refused`(words: String) throws {
        let rule = Self.constraints(words, "", names: Self.wildcard)
        #expect(try rule.refusal(.webPKI, isBroken: true)?.code == .chainInvalid)
    }

    @Test(arguments: [
        CertificateName.rawDNS(Array(".example.com".utf8)), .rawDNS(Array("a..example.com".utf8)),
        .rawIP([192, 0, 2, 0, 255, 255, 255, 0]),
    ])
    func `a malformed name is within no constraint, whether the host is asked for or not`(name: CertificateName) throws
    {
        let names = [.dns(World.host), name]
        for (rule, isAccepted) in [
            (
                Self.constraints("permitted;DNS:example.com,permitted;IP:192.0.2.0/255.255.255.0", "", names: names),
                false
            ),
            (RuleCase("no constraints", .leaf, "", names: names), true),
        ] {
            let (sent, roots) = try rule.chain(isBroken: true)
            let evaluator = DefaultTrustEvaluator(validateHost: false, roots: roots)
            #expect((try refusal(by: evaluator, of: sent) == nil) == isAccepted)
        }
    }

    @Test func `only an authority has constraints`() throws {
        try RuleCase("a leaf with constraints", .leaf, "no authority's", isForm: false) {
            $0.permittedDNSSubtrees = ["example.com"]
        }.verify()
    }

    @Test func `the root's constraints hold as well`() throws {
        for (base, isAccepted) in [("example.org", false), ("example.com", true)] {
            let rule = RuleCase("root", .root, "") { $0.permittedDNSSubtrees = [base] }
            #expect((try rule.refusal(.webPKI, isBroken: true) == nil) == isAccepted)
        }
    }

    @Test func `more comparisons than are made are refused, and soon`() throws {
        func rule(_ count: Int) -> RuleCase {
            let names = (0..<count).map { CertificateName.dns("a\($0).example.com") }
            return RuleCase("\(count) names", .intermediate, "", names: [.dns(World.host)] + names) {
                $0.excludedDNSSubtrees = (0..<count).map { "b\($0).example.com" }
            }
        }
        let clock = ContinuousClock()
        let time = try clock.measure {
            let error = try rule(600).refusal(.webPKI, isBroken: true)
            #expect(error?.reason.contains("more names and name constraints") == true)
        }
        #expect(time < .seconds(5))
        #expect(try rule(100).refusal(.webPKI, isBroken: true) == nil)
    }
}
