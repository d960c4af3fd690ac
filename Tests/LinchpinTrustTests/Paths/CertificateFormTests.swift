import LinchpinTesting
import LinchpinTrust
import Testing

/// The fields and extensions of every certificate of a path (RFC 5280 §4.1, §4.2).
@Suite struct CertificateFormTests {
    private static let aia = "caIssuers;URI:http://ca.example/ca.der"

    private static let fields = [
        RuleCase("a leaf with the serial number 0", .leaf, "serial number is 0") { $0.serialNumber = "0" },
        RuleCase("an intermediate with the serial number 0", .intermediate, "serial number is 0") {
            $0.serialNumber = "0"
        },
        RuleCase("a negative serial number", .leaf, "serial number is negative") { $0.serialNumber = "-77" },
        RuleCase("a serial number of 21 octets", .leaf, "longer than 20 octets") {
            $0.serialNumber = "1" + String(repeating: "0", count: 49)
        },
        RuleCase("a serial number of 20 octets with the first bit set", .leaf, "longer than 20 octets") {
            $0.serialNumber = "1461501637330902918203684832716283019655932542975"
        },
        RuleCase("an authority without a name", .root, "issuer has no name") { $0.hasSubject = false },
        RuleCase("an intermediate without a name", .intermediate, "issuer has no name") { $0.hasSubject = false },
    ]

    @Test(arguments: fields)
    func `a certificate with a wrong field is refused`(rule: RuleCase) throws { try rule.verify() }

    @Test func `a serial number of 20 octets and a root's serial number 0 are accepted`() throws {
        let most = RuleCase("20 octets", .leaf, "") {
            $0.serialNumber = "730750818665451459101842416358141509827966271487"
        }
        let root = RuleCase("a root", .root, "") { $0.serialNumber = "0" }
        for rule in [most, root] { #expect(try rule.refusal(.webPKI, isBroken: true) == nil) }
    }

    private static let extensions = [
        RuleCase("an unknown extension twice", .leaf, "occurs twice", isForm: false) {
            $0.additionalExtensions = [.init("1.2.3.4", "DER:0500"), .init("1.2.3.4", "DER:0500")]
        },
        RuleCase("an extension twice in the root", .root, "occurs twice", isForm: false) {
            $0.additionalExtensions = [.init("1.2.3.4", "DER:0500"), .init("1.2.3.4", "DER:0500")]
        },
        RuleCase("authority information access that is none", .leaf, "malformed", isForm: false) {
            $0.additionalExtensions = [.init("authorityInfoAccess", "DER:0500")]
        },
        RuleCase("certificate policies that are none", .intermediate, "malformed", isForm: false) {
            $0.additionalExtensions = [.init("certificatePolicies", "DER:0500")]
        },
        RuleCase("policy constraints that are not critical", .intermediate, "constraints are not critical") {
            $0.additionalExtensions = [.init("policyConstraints", "inhibitPolicyMapping:0")]
        },
        RuleCase("inhibit anyPolicy that is not critical", .intermediate, "anyPolicy is not critical") {
            $0.additionalExtensions = [.init("inhibitAnyPolicy", "2")]
        },
    ]

    @Test(arguments: extensions)
    func `a certificate with a wrong extension is refused`(rule: RuleCase) throws {
        try rule.verify()
    }

    @Test func `the same extensions in their right form are accepted`() throws {
        let rule = RuleCase("right", .intermediate, "") {
            $0.additionalExtensions = [
                .init("1.2.3.4", "DER:0500"), .init("1.2.3.5", "DER:0500"), .init("authorityInfoAccess", Self.aia),
                .init("policyConstraints", "critical,inhibitPolicyMapping:0"),
                .init("certificatePolicies", "2.23.140.1.2.1"),
            ]
        }
        for profile in [ValidationProfile.webPKI, .privatePKI] {
            #expect(try rule.refusal(profile, isBroken: true) == nil)
        }
    }

    @Test(arguments: [RuleCase.Place.leaf, .intermediate, .root])
    func `an unknown extension that is critical is refused`(place: RuleCase.Place) throws {
        let rule = RuleCase("critical", place, "") { $0.additionalExtensions = [.init("1.2.3.4", "critical,DER:0500")] }
        for profile in [ValidationProfile.webPKI, .privatePKI] {
            #expect(try rule.refusal(profile, isBroken: true)?.code == .chainInvalid)
            #expect(try rule.refusal(profile, isBroken: false) == nil)
        }
    }

    @Test(arguments: ["authorityKeyIdentifier", "subjectKeyIdentifier", "authorityInfoAccess"])
    func `an extension that must not be critical is refused where it is`(name: String) throws {
        let words = [
            "authorityKeyIdentifier": "keyid:always", "subjectKeyIdentifier": "hash", "authorityInfoAccess": Self.aia,
        ]
        func rule(_ prefix: String) -> RuleCase {
            RuleCase(name, .leaf, "") {
                $0.replacedExtensions[name] = ""
                $0.additionalExtensions = [.init(name, prefix + (words[name] ?? ""))]
            }
        }
        #expect(try rule("critical,").refusal(.webPKI, isBroken: true)?.code == .chainInvalid)
        #expect(try rule("").refusal(.webPKI, isBroken: true) == nil)
    }

    @Test func `a demand for a policy is processed`() throws {
        func rule(_ leafPolicy: String) -> RuleCase {
            RuleCase("explicit policy", .intermediate, "") {
                $0.additionalExtensions = [
                    .init("policyConstraints", "critical,requireExplicitPolicy:0"),
                    .init("certificatePolicies", "2.23.140.1.2.1"),
                ]
            }
        }
        let (sent, roots) = try rule("").chain(isBroken: true)
        let evaluator = DefaultTrustEvaluator(roots: roots)
        #expect(try refusal(by: evaluator, of: sent)?.reason.contains("policy") == true)

        // One that asks for a policy and names none itself.
        let nameless = RuleCase("explicit policy", .intermediate, "") {
            $0.additionalExtensions = [.init("policyConstraints", "critical,requireExplicitPolicy:0")]
        }
        let (bare, bareRoots) = try nameless.chain(isBroken: true)
        let bareEvaluator = DefaultTrustEvaluator(roots: bareRoots)
        #expect(try refusal(by: bareEvaluator, of: bare)?.reason.contains("names none") == true)

        // The twin: the leaf has the policy, too.
        var authority = CertificateProfile.authority
        authority.additionalExtensions = [
            .init("policyConstraints", "critical,requireExplicitPolicy:0"),
            .init("certificatePolicies", "2.23.140.1.2.1"),
        ]
        var leaf = CertificateProfile.server
        leaf.additionalExtensions = [.init("certificatePolicies", "2.23.140.1.2.1")]
        let root = try LocalCertificateAuthority(name: "Root", validity: .atNoon)
        let intermediate = try root.intermediate(name: "Intermediate", validity: .atNoon, profile: authority)
        let server = try intermediate.issue([.dns(World.host)], validity: .atNoon, profile: leaf)
        let twin = DefaultTrustEvaluator(roots: .certificates([root.certificate]))
        #expect(try refusal(by: twin, of: server.chain) == nil)
    }
}
