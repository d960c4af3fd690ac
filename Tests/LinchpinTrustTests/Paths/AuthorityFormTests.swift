import LinchpinTesting
import LinchpinTrust
import Testing

/// The form of authorities' and servers' certificates (RFC 5280 §4.2.1, CA/B BR §7.1.2).
@Suite struct AuthorityFormTests {
    private static let authorities = [
        RuleCase("a root whose basic constraints are not critical", .root, "basic constraints are not critical") {
            $0.replacedExtensions["basicConstraints"] = "CA:TRUE"
        },
        RuleCase("an intermediate whose are not critical", .intermediate, "basic constraints are not critical") {
            $0.replacedExtensions["basicConstraints"] = "CA:TRUE"
        },
        RuleCase("a root without basic constraints", .root, "without basic constraints") {
            $0.replacedExtensions["basicConstraints"] = ""
        },
        RuleCase("an intermediate without a key usage", .intermediate, "without a key usage") { $0.keyUsages = [] },
        RuleCase("a root without a subject key identifier", .root, "without a subject key identifier") {
            $0.replacedExtensions["subjectKeyIdentifier"] = ""
        },
    ]

    @Test(arguments: authorities)
    func `an authority in the wrong form is refused`(rule: RuleCase) throws { try rule.verify() }

    private static let identifiers = [
        RuleCase("a leaf without one", .leaf, "no authority key identifier") {
            $0.replacedExtensions["authorityKeyIdentifier"] = ""
        },
        RuleCase("an intermediate without one", .intermediate, "no authority key identifier") {
            $0.replacedExtensions["authorityKeyIdentifier"] = ""
        },
        RuleCase("a leaf whose has no key", .leaf, "no authority key identifier") {
            $0.replacedExtensions["authorityKeyIdentifier"] = "issuer:always"
        },
        RuleCase("a root whose names an issuer", .root, "names an issuer") {
            $0.replacedExtensions["authorityKeyIdentifier"] = "keyid:always,issuer:always"
        },
        RuleCase("a root whose has no key", .root, "not its subject key identifier") {
            $0.replacedExtensions["authorityKeyIdentifier"] = "DER:3000"
        },
        RuleCase("a root whose is another key's", .root, "not its subject key identifier") {
            $0.replacedExtensions["authorityKeyIdentifier"] = "DER:3006800401020304"
        },
    ]

    @Test(arguments: identifiers)
    func `an authority key identifier in the wrong form is refused`(rule: RuleCase) throws { try rule.verify() }

    @Test func `a root may name its own key, or have no key usage`() throws {
        let ownKey = RuleCase("own", .root, "") { $0.replacedExtensions["authorityKeyIdentifier"] = "keyid:always" }
        let noUsage = RuleCase("as openssl req -x509 makes it", .root, "") { $0.keyUsages = [] }
        for rule in [ownKey, noUsage] { #expect(try rule.refusal(.webPKI, isBroken: true) == nil) }
    }

    @Test func `an anchor that another authority signed needs no identifier, unless it limits the path`() throws {
        for (pathLength, isAccepted) in [(nil, true), (0, false)] {
            let root = try LocalCertificateAuthority(name: "Root", validity: .atNoon)
            var profile = CertificateProfile.authority
            profile.replacedExtensions["authorityKeyIdentifier"] = ""
            profile.pathLength = pathLength
            let anchor = try root.intermediate(name: "Anchor", validity: .atNoon, profile: profile)
            let server = try anchor.issue([.dns(World.host)], validity: .atNoon)
            let roots = TrustRoots.certificates([anchor.certificate])
            let error = try refusal(by: DefaultTrustEvaluator(roots: roots), of: [server.certificate])
            #expect((error == nil) == isAccepted)
            #expect(
                try refusal(by: DefaultTrustEvaluator(roots: roots, profile: .privatePKI), of: [server.certificate])
                    == nil
            )
        }
    }

    private static let servers = [
        RuleCase("an authority", .leaf, "an authority's, not a server's") {
            $0.isCA = true
            $0.keyUsages = [.digitalSignature, .keyCertSign]
        },
        RuleCase("a key that may sign certificates", .leaf, "may sign certificates") {
            $0.keyUsages = [.digitalSignature, .keyCertSign]
        },
        RuleCase("no purpose", .leaf, "no extended key usage") { $0.extendedKeyUsages = [] },
        RuleCase("critical purposes", .leaf, "key usages are critical") {
            $0.replacedExtensions["extendedKeyUsage"] = "critical,serverAuth"
        },
        RuleCase("any purpose", .leaf, "anyExtendedKeyUsage") {
            $0.replacedExtensions["extendedKeyUsage"] = "serverAuth,anyExtendedKeyUsage"
        },
        RuleCase("critical names beside a subject", .leaf, "critical beside a subject") {
            $0.replacedExtensions["subjectAltName"] = "critical,DNS:\(World.host)"
        },
        RuleCase("neither a subject nor critical names", .leaf, "names are not critical") {
            $0.hasSubject = false
            $0.replacedExtensions["subjectAltName"] = "DNS:\(World.host)"
        },
    ]

    @Test(arguments: servers)
    func `a server's certificate in the wrong form is refused`(rule: RuleCase) throws { try rule.verify() }

    @Test func `critical names without a subject are accepted`() throws {
        let rule = RuleCase("nameless", .leaf, "") {
            $0.hasSubject = false
            $0.replacedExtensions["subjectAltName"] = "critical,DNS:\(World.host)"
        }
        #expect(try rule.refusal(.webPKI, isBroken: true) == nil)
    }

    private static let purposes = [
        RuleCase("Microsoft's older purpose for servers", .leaf, "do not have serverAuth", isForm: false) {
            $0.replacedExtensions["extendedKeyUsage"] = "msSGC"
        },
        RuleCase("an intermediate with Netscape's", .intermediate, "do not have serverAuth", isForm: false) {
            $0.replacedExtensions["extendedKeyUsage"] = "nsSGC"
        },
        RuleCase("a root with purposes", .root, "root with extended key usages") {
            $0.extendedKeyUsages = [.serverAuth]
        },
    ]

    @Test(arguments: purposes)
    func `wherever purposes are named they are those of servers`(rule: RuleCase) throws { try rule.verify() }

    @Test func `an intermediate for servers is accepted, one for clients is not`() throws {
        let servers = RuleCase("servers", .intermediate, "") { $0.extendedKeyUsages = [.serverAuth, .clientAuth] }
        #expect(try servers.refusal(.webPKI, isBroken: true) == nil)
        let clients = RuleCase("clients", .intermediate, "") { $0.extendedKeyUsages = [.clientAuth] }
        #expect(try clients.refusal(.privatePKI, isBroken: true)?.code == .chainInvalid)
    }
}
