import Foundation
import LinchpinPolicyImport
import LinchpinTestSupport
import LinchpinTrust
import Testing

/// Android network security configurations become policies, and what none can say is told.
@Suite struct AndroidImportTests {
    private static let seven = String(PolicyWorld.seven.dropFirst(7))
    private static let eight = String(PolicyWorld.eight.dropFirst(7))
    private static let pins = #"<pin digest="SHA-256">\#(seven)</pin><pin digest="SHA-256"> \#(eight) </pin>"#

    private func imported(
        _ content: String,
        raw: [String: String] = [:],
        leavingOut fields: Set<String> = []
    ) throws -> ImportedPolicy {
        let text =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<network-security-config>\(content)</network-security-config>"
        return try ImportedPolicy(
            androidNetworkSecurityConfig: Data(text.utf8),
            rawResources: raw,
            leavingOut: fields
        )
    }

    private func hosts(_ policy: ImportedPolicy) throws -> [String: [String: Any]] {
        let document = try JSONSerialization.jsonObject(with: policy.document) as? [String: Any]
        #expect(document?["allHostsMustBeEvaluated"] as? Bool == false)
        return try #require(document?["hosts"] as? [String: [String: Any]])
    }

    private func findings(_ content: String) -> [PolicyImportError.Finding] {
        let error = #expect(throws: PolicyImportError.self, "\(content)") { try imported(content) }
        return error?.findings ?? []
    }

    // MARK: Expressed

    @Test func `pins, their date and names below a host are in the policy`() throws {
        let hosts = try hosts(
            imported(
                """
                <domain-config>
                    <domain includeSubdomains="true"> Example.com </domain>
                    <domain>one.example.net</domain>
                    <pin-set expiration="2030-01-31">\(Self.pins)</pin-set>
                </domain-config>
                """
            )
        )
        #expect(hosts.keys.sorted() == ["**.example.com", "one.example.net"])
        for host in hosts.values {
            #expect(host["pins"] as? [String] == [PolicyWorld.seven, PolicyWorld.eight])
            let expiration = host["expiration"] as? [String: String]
            #expect(expiration == ["date": "2030-01-31", "afterwards": "fallBackToDefaultValidation"])
            #expect(host.count == 2)
        }
    }

    @Test func `one pin is enough, as on Android`() throws {
        let hosts = try hosts(
            imported(
                #"<domain-config><domain>a.example</domain><pin-set><pin digest="SHA-256">\#(Self.seven)</pin></pin-set>"#
                    + "</domain-config>"
            )
        )
        #expect(hosts["a.example"]?["requiresBackupPin"] as? Bool == false)
    }

    @Test func `what is nested has what is around it, unless it says something itself`() throws {
        let world = try PolicyWorld()
        let path = world.directory.path(of: "root.pem")
        let policy = try imported(
            """
            <domain-config cleartextTrafficPermitted="false">
                <domain includeSubdomains="true">example.com</domain>
                <pin-set>\(Self.pins)</pin-set>
                <domain-config><domain>own.example.com</domain>
                    <trust-anchors><certificates src="@raw/ours"/></trust-anchors></domain-config>
                <domain-config><domain>free.example.com</domain><pin-set/></domain-config>
            </domain-config>
            """,
            raw: ["ours": path]
        )
        let hosts = try hosts(policy)
        #expect(hosts["own.example.com"]?["pins"] as? [String] == [PolicyWorld.seven, PolicyWorld.eight])
        #expect(hosts["own.example.com"]?["roots"] as? [String] == [path])
        #expect(hosts["**.example.com"]?["roots"] == nil)
        #expect(hosts["free.example.com"]?.isEmpty == true)
    }

    @Test func `hosts have what base-config says, wherever it stands`() throws {
        let world = try PolicyWorld()
        let anchors = #"<trust-anchors><certificates src="@raw/ours"/></trust-anchors>"#
        let content = "<domain-config><domain>a.example</domain></domain-config><base-config>\(anchors)</base-config>"
        let path = world.directory.path(of: "root.pem")
        let policy = try imported(content, raw: ["ours": path], leavingOut: ["trust-anchors"])
        #expect(policy.leftOut.map(\.field) == ["trust-anchors"])
        #expect(try hosts(policy)["a.example"]?["roots"] as? [String] == [path])
        #expect(throws: PolicyImportError.self) { try imported(content, raw: ["ours": path]) }
    }

    @Test func `hosts have the pins of base-config, and no others do`() throws {
        let content =
            "<domain-config><domain>a.example</domain></domain-config>"
            + "<domain-config><domain>b.example</domain><pin-set/></domain-config>"
            + "<base-config><pin-set>\(Self.pins)</pin-set></base-config>"
        #expect(findings(content).map(\.field) == ["pin-set"])
        let hosts = try hosts(imported(content, leavingOut: ["pin-set"]))
        #expect(hosts["a.example"]?["pins"] as? [String] == [PolicyWorld.seven, PolicyWorld.eight])
        #expect(hosts["b.example"]?.isEmpty == true)
    }

    @Test func `a host to which plain http is allowed has no entry`() throws {
        let plain =
            #"<domain-config cleartextTrafficPermitted="true"><domain includeSubdomains="true">localhost</domain>"#
        let policy = try imported(plain + "<domain>10.0.2.2</domain></domain-config>")
        #expect(try hosts(policy).isEmpty)
        let manager = try ServerTrustManager(policy: policy.document, relativeTo: "")
        #expect(try !manager.policy(for: "10.0.2.2").refusesPlainHTTP)
    }

    @Test func `a host to which plain http is refused has one`() throws {
        let content = #"<domain-config cleartextTrafficPermitted="false"><domain>a.example</domain></domain-config>"#
        let manager = try ServerTrustManager(policy: imported(content).document, relativeTo: "")
        #expect(try manager.policy(for: "a.example").refusesPlainHTTP)
        #expect(try !manager.policy(for: "b.example").refusesPlainHTTP)
    }

    @Test(arguments: [
        #"<base-config cleartextTrafficPermitted="true"/>"#, "<base-config/>", "",
        #"<base-config><trust-anchors><certificates src="system"/></trust-anchors></base-config>"#,
        #"<base-config><certificateTransparency enabled="false"/><domainEncryption mode="disabled"/></base-config>"#,
        #"<domain-config><domain>10.0.0.1</domain><trustkit-config enforcePinning="true"/></domain-config>"#,
        #"<base-config xmlns:tools="http://schemas.android.com/tools" tools:ignore="x"/>"#,
    ])
    func `what a policy says anyway is no finding`(content: String) throws {
        #expect(try imported(content).leftOut.isEmpty)
    }

    // MARK: Told

    private static func domain(_ content: String, _ attributes: String = "") -> String {
        "<domain-config \(attributes)><domain>a.example</domain>\(content)</domain-config>"
    }

    private static func anchors(_ content: String) -> String { "<trust-anchors>\(content)</trust-anchors>" }

    /// What no policy can say, the field by which it is told, and where it is.
    private static let inexpressible: [(content: String, fields: [String], place: String)] = [
        (#"<base-config cleartextTrafficPermitted="false"/>"#, ["cleartextTrafficPermitted"], "line 2, base-config"),
        (
            domain("<pin-set>\(pins)</pin-set>", #"cleartextTrafficPermitted="true""#), ["cleartextTrafficPermitted"],
            "line 2, domain-config/domain"
        ),
        (
            #"<domain-config><domain includeSubdomains="true">b.example</domain></domain-config>"#
                + #"<domain-config cleartextTrafficPermitted="true"><domain>a.b.example</domain></domain-config>"#,
            ["cleartextTrafficPermitted"], "line 2, domain-config/domain"
        ),
        (domain("", #"hstsEnforced="true""#), ["hstsEnforced"], "line 2, domain-config"),
        (domain("", #"future="true""#), ["future"], "line 2, domain-config@future"),
        (domain("<future/>"), ["future"], "line 2, domain-config/future"),
        ("\n\n<future/>", ["future"], "line 4, future"),
        (
            domain(anchors(#"<certificates src="system"/><certificates src="user"/>"#)), [#"src="user""#],
            "line 2, domain-config/trust-anchors/certificates"
        ),
        (
            domain(anchors(#"<certificates src="system" overridePins="true"/>"#)), ["overridePins"],
            "line 2, domain-config/trust-anchors/certificates"
        ),
        (
            "<debug-overrides>\(anchors(#"<certificates src="user"/>"#))</debug-overrides>", ["debug-overrides"],
            "line 2, debug-overrides"
        ),
        (
            domain(#"<certificateTransparency enabled="true"/>"#), ["certificateTransparency"],
            "line 2, domain-config/certificateTransparency"
        ),
        (
            domain(#"<domainEncryption mode="opportunistic"/>"#), ["domainEncryption"],
            "line 2, domain-config/domainEncryption"
        ),
        (
            domain(
                #"<trustkit-config enforcePinning="false" disableDefaultReportUri="false"><report-uri>x</report-uri>"#
                    + "</trustkit-config>"
            ), ["enforcePinning", "disableDefaultReportUri", "report-uri"], "line 2, domain-config/trustkit-config"
        ),
    ]

    @Test(arguments: inexpressible.indices)
    func `what no policy can say is told, or left out by name`(index: Int) throws {
        let (content, fields, place) = Self.inexpressible[index]
        let found = findings(content)
        #expect(found.map(\.field) == fields)
        #expect(found.first?.place == place)
        #expect(!found.contains { !$0.canBeLeftOut })
        #expect(try imported(content, leavingOut: Set(fields)).leftOut == found)
        if fields.count > 1 {
            #expect(throws: PolicyImportError.self) { try imported(content, leavingOut: [fields[0]]) }
        }
    }

    @Test func `the system's roots beside others are told`() throws {
        let world = try PolicyWorld()
        let path = world.directory.path(of: "root.pem")
        let raw = ["ours": path]
        let content = Self.domain(Self.anchors(#"<certificates src="system"/><certificates src="@raw/ours"/>"#))
        let error = #expect(throws: PolicyImportError.self) { try imported(content, raw: raw) }
        #expect(error?.findings.map(\.field) == [#"src="system""#])
        let policy = try imported(content, raw: raw, leavingOut: [#"src="system""#])
        #expect(try hosts(policy)["a.example"]?["roots"] as? [String] == [path])
    }

    /// What is malformed, the field, and words of the reason.
    private static let malformed: [(content: String, field: String, words: String)] = [
        ("<domain-config/>", "domain-config", "no domain"),
        ("<domain-config><domain>https://a.example</domain></domain-config>", "domain", "scheme"),
        ("<domain-config><domain>a.example:8443</domain></domain-config>", "domain", "without a port"),
        ("<domain-config><domain>*.a.example</domain></domain-config>", "domain", "one host"),
        ("<domain-config><domain/></domain-config>", "domain", "empty"),
        (#"<domain-config><domain includeSubdomains="true">com</domain></domain-config>"#, "domain", "public suffix"),
        (domain("") + domain(""), "domain", "another place"),
        (domain("", #"cleartextTrafficPermitted="yes""#), "cleartextTrafficPermitted", "neither"),
        (domain(#"<pin-set><pin digest="SHA-1">x</pin></pin-set>"#), "digest", "SHA-256"),
        (domain("<pin-set><pin>\(seven)</pin></pin-set>"), "digest", "SHA-256"),
        (domain(#"<pin-set><pin digest="SHA-256">x</pin></pin-set>"#), "pin", "not a pin"),
        (domain(#"<pin-set expiration="soon">\#(pins)</pin-set>"#), "expiration", "not a date"),
        (domain(anchors("")), "trust-anchors", "no roots"),
        (domain(anchors("<certificates/>")), "src", "missing"),
        (domain(anchors(#"<certificates src="@raw/ours"/>"#)), "src", "not handed over"),
        (domain(anchors(#"<certificates src="raw/ours"/>"#)), "src", "neither"),
        ("<base-config/><base-config/>", "base-config", "already"),
        (domain("<pin-set>\(pins)</pin-set><pin-set/>"), "pin-set", "already"),
        (domain("<pin-set>\(pins)</pin-set><pin-set>\(pins)</pin-set>"), "pin-set", "already"),
        (
            domain(
                anchors(#"<certificates src="system"/>"#) + anchors(#"<certificates src="system"/>"#)
            ), "trust-anchors", "already"
        ),
        (
            "<base-config>\(anchors(#"<certificates src="system"/>"#))\(anchors(#"<certificates src="system"/>"#))"
                + "</base-config>", "trust-anchors", "already"
        ),
        (domain("<pin-set>\(seven)</pin-set>"), "pin-set", "the text"),
        ("<domain-config>b.example<domain>a.example</domain></domain-config>", "domain-config", "the text"),
        ("a.example", "network-security-config", "the text"),
    ]

    @Test(arguments: malformed.indices)
    func `what is malformed is told and cannot be left out`(index: Int) throws {
        let (content, field, words) = Self.malformed[index]
        let found = findings(content)
        #expect(found.contains { $0.field == field && $0.reason.contains(words) && !$0.canBeLeftOut }, "\(found)")
        #expect(throws: PolicyImportError.self) { try imported(content, leavingOut: Set(found.map(\.field))) }
    }

    @Test(arguments: [
        "", "text", "<network-security-config>", "<network-security-config/><a/>", "<resources/>",
        #"<!DOCTYPE a [<!ENTITY b "c">]><network-security-config>&b;</network-security-config>"#,
        #"<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><network-security-config>&b;</network-security-config>"#,
    ])
    func `what is no such document is told`(text: String) {
        let error = #expect(throws: PolicyImportError.self) {
            try ImportedPolicy(androidNetworkSecurityConfig: Data(text.utf8))
        }
        #expect(error?.findings.count == 1)
        #expect(error?.findings.first?.canBeLeftOut == false)
    }

    @Test func `another encoding is told`() throws {
        let root = "<network-security-config/>"
        for declaration in ["", "<?xml version='1.0' encoding='UTF-8'?>", "<?xml version=\"1.0\"?>"] {
            _ = try ImportedPolicy(androidNetworkSecurityConfig: Data("\(declaration)\(root)".utf8))
        }
        let latin = Data("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\(root)".utf8)
        let wide = try #require("<?xml version=\"1.0\"?>\(root)".data(using: .utf16))
        for document in [latin, wide, Data(root.utf8) + [0xFF]] {
            #expect(throws: PolicyImportError.self) { try ImportedPolicy(androidNetworkSecurityConfig: document) }
        }
    }

    @Test func `elements beyond all measure are told`() {
        let deep = String(repeating: "<a>", count: 1_000) + String(repeating: "</a>", count: 1_000)
        #expect(findings(deep).map(\.field) == ["xml"])
    }
}
