import LinchpinTesting
import LinchpinTrust
import Testing

/// The form of the names in a server's certificate (RFC 5280 §4.2.1.6, RFC 9525, CA/B BR §7.1.4).
@Suite struct LeafNamesTests {
    private static func name(_ name: CertificateName, _ word: String, isForm: Bool = false) -> RuleCase {
        RuleCase("\(name) beside the host", .leaf, word, isForm: isForm, names: [.dns(World.host), name])
    }

    private static let malformed = [
        name(.rawDNS(Array(".example.com".utf8)), "an empty label"),
        name(.rawDNS(Array("a..example.com".utf8)), "an empty label"),
        name(.rawDNS(Array("example.com.".utf8)), "an empty label"),
        name(.rawDNS([]), "is empty"),
        name(.rawDNS(Array(" ".utf8)), "a character that no host name has"),
        name(.dns("f*.example.com"), "a character that no host name has"),
        name(.dns("a.*.example.com"), "a character that no host name has"),
        name(.dns("*.*.example.com"), "a character that no host name has"),
        name(.dns("*"), "a character that no host name has"),
        name(.rawDNS(Array("b\u{FC}cher.example".utf8)), "a character that no host name has"),
        name(.rawDNS(Array("a\0.example.com".utf8)), "a character that no host name has"),
        name(.dns("-a.example.com"), "begins or ends with a hyphen"),
        name(.dns("\(String(repeating: "a", count: 64)).example.com"), "longer than 63"),
        name(.rawIP([192, 0, 2, 0, 255, 255, 255, 0]), "no IPv4 or IPv6 address"),
        name(.rawIP([]), "no IPv4 or IPv6 address"),
        name(.dns("a_b.example.com"), "a character that no host name has", isForm: true),
        name(.dns("192.0.2.1"), "is an address", isForm: true),
    ]

    @Test(arguments: malformed)
    func `one malformed name is enough to refuse`(rule: RuleCase) throws { try rule.verify(.hostMismatch) }

    @Test func `well-formed names beside the host do no harm`() throws {
        let names: [CertificateName] = [
            .dns(World.host), .dns("*.example.com"), .dns("xn--bcher-kva.example"), .dns("A1.Example.COM"),
            .ip("192.0.2.1"), .ip("2001:db8::1"), .email("a@example.com"), .uri("https://example.com/"),
        ]
        let rule = RuleCase("names", .leaf, "", names: names)
        #expect(try rule.refusal(.webPKI, isBroken: true) == nil)
    }

    private static func commonName(_ commonName: String, _ names: [CertificateName]) -> RuleCase {
        RuleCase("CN=\(commonName)", .leaf, "common name", names: [.dns(World.host)] + names, commonName: commonName)
    }

    private static let commonNames = [
        commonName("other.example.com", []),
        commonName("other.example", []),
        commonName("API.example.com", []),
        commonName("*.example.com", []),
        commonName("xn--bcher-kva.example", []),
        commonName("b\u{FC}cher.example", [.dns("xn--bcher-kva.example")]),
        commonName("192.0.2.1", []),
        commonName("192.0.2.1", [.ip("192.0.2.2")]),
        commonName("192.000.002.001", [.ip("192.0.2.1")]),
        commonName("0xC0000201", [.ip("192.0.2.1")]),
        commonName("0XC0000201", [.ip("192.0.2.1")]),
        commonName("3221225985", [.ip("192.0.2.1")]),
        commonName("030000001001", [.ip("192.0.2.1")]),
        commonName("0xc0.0.2.1", [.ip("192.0.2.1")]),
        commonName("192.0.513", [.ip("192.0.2.1")]),
        commonName("010.0.0.1", []),
        commonName(" 192.0.2.2", [.ip("192.0.2.1")]),
        commonName("192.0.2.2 ", [.ip("192.0.2.1")]),
        commonName(" other.example.com ", []),
        commonName("\(World.host)\0.example.com", []),
        commonName("2001:db8:0:0:1:0:0:1", [.ip("2001:db8::1:0:0:1")]),
        commonName("2001:DB8::1", [.ip("2001:db8::1")]),
    ]

    @Test(arguments: commonNames)
    func `a common name that is a host has to be an alternative name`(rule: RuleCase) throws {
        try rule.verify(.hostMismatch)
    }

    @Test(arguments: [
        commonName(World.host, []),
        commonName("example.com", []),
        commonName("192.0.2.1", [.ip("192.0.2.1")]),
        commonName("2001:db8::1", [.ip("2001:db8::1")]),
        commonName("*.example.com", [.dns("*.example.com")]),
        commonName("www.example.com", [.dns("*.example.com")]),
        commonName("Our server no. 1", []),
        commonName("\(World.host) ", []),
        commonName(" 192.0.2.1", [.ip("192.0.2.1")]),
        commonName("12345", []),
        commonName("12345", [.ip("192.0.2.1")]),
        commonName("0xBEEF", []),
        commonName("3221225985", []),
        commonName("3221225986", [.ip("192.0.2.1")]),
        commonName("42 printer", []),
        commonName("42 printer", [.ip("0.0.0.42")]),
        commonName("192.0.2.1 printer", [.ip("192.0.2.1")]),
        commonName("localhost", []),
    ])
    func `a common name that agrees with the alternative names, or is no host, is accepted`(rule: RuleCase) throws {
        #expect(try rule.refusal(.webPKI, isBroken: true) == nil)
    }

    @Test(arguments: ["shop.co.uk", "a.b.co.uk", "bucket.s3.amazonaws.com"])
    func `no wildcard stands for the names of a registry`(host: String) throws {
        let parent = host.split(separator: ".").dropFirst().joined(separator: ".")
        let isRegistry = host != "a.b.co.uk"
        let root = try LocalCertificateAuthority(validity: .atNoon)
        let roots = TrustRoots.certificates([root.certificate])
        func code(_ names: [CertificateName], _ profile: ValidationProfile) throws -> TrustError.Code? {
            let server = try root.issue(names, validity: .atNoon)
            let evaluator = DefaultTrustEvaluator(roots: roots, profile: profile)
            return try refusal(by: evaluator, of: server.chain, host: host)?.code
        }
        #expect(try code([.dns("*.\(parent)")], .webPKI) == (isRegistry ? .hostMismatch : nil))
        #expect(try code([.dns("*.\(parent)")], .privatePKI) == nil)
        #expect(try code([.dns("*.\(parent)"), .dns(host)], .webPKI) == nil)
    }

    /// What an authority that a root lets issue for others can do: name itself like the server.
    private func namesake(
        _ commonName: String,
        authority: String,
        names: [CertificateName] = [.dns(World.host)],
        identifiesKeys: Bool
    ) throws -> (sent: [Certificate], roots: TrustRoots) {
        let root = try LocalCertificateAuthority(name: "Root", validity: .atNoon)
        let intermediate = try root.intermediate(name: authority, validity: .atNoon)
        var profile = CertificateProfile.server
        if !identifiesKeys {
            profile.replacedExtensions = ["authorityKeyIdentifier": "", "subjectKeyIdentifier": ""]
        }
        let server = try intermediate.issue(names, commonName: commonName, validity: .atNoon, profile: profile)
        return (server.chain, .certificates([root.certificate]))
    }

    @Test func `an authority of the server's name relaxes nothing`() throws {
        func code(
            _ commonName: String,
            authority: String,
            names: [CertificateName] = [.dns(World.host)],
            _ profile: ValidationProfile = .webPKI
        ) throws -> TrustError.Code? {
            let (sent, roots) = try namesake(commonName, authority: authority, names: names, identifiesKeys: true)
            return try refusal(by: DefaultTrustEvaluator(roots: roots, profile: profile), of: sent)?.code
        }
        for authority in ["other.example", "Authority"] {
            #expect(try code("other.example", authority: authority) == .hostMismatch)
            #expect(try code("other.example", authority: authority, .privatePKI) == nil)
        }
        for name in ["my_host.example.com", "127.0.0.1"] {
            let names: [CertificateName] = [.dns(World.host), .dns(name)]
            #expect(try code(World.host, authority: World.host, names: names) == .hostMismatch)
        }
        #expect(try code(World.host, authority: World.host) == nil)
    }

    @Test(arguments: [ValidationProfile.webPKI, .privatePKI])
    func `a certificate that only looks self-signed is never accepted`(profile: ValidationProfile) throws {
        let (sent, roots) = try namesake("other.example", authority: "other.example", identifiesKeys: false)
        let evaluator = DefaultTrustEvaluator(roots: roots, profile: profile)
        #expect(try refusal(by: evaluator, of: sent) != nil)
    }

    @Test func `names of a certificate that is its own anchor are the caller's affair`() throws {
        let identity = try LocalCertificateAuthority.selfSigned(
            [.dns(World.host), .dns("127.0.0.1"), .dns("my_host")],
            commonName: "other.example",
            validity: .atNoon
        )
        let evaluator = DefaultTrustEvaluator(roots: .certificates([identity.certificate]))
        #expect(try refusal(by: evaluator, of: identity.chain) == nil)
    }
}
