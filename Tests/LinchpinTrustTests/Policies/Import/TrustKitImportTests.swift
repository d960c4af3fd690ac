import Foundation
import LinchpinPolicyImport
import LinchpinTrust
import Testing

/// TrustKit configurations become policies, and what none can say is told.
@Suite struct TrustKitImportTests {
    private static let seven = String(PolicyWorld.seven.dropFirst(7))
    private static let eight = String(PolicyWorld.eight.dropFirst(7))

    private static func domain(_ more: [String: any Sendable] = [:]) -> [String: any Sendable] {
        let pins: [String: any Sendable] = ["TSKPublicKeyHashes": [seven, eight]]
        return pins.merging(more) { $1 }
    }

    private func hosts(_ policy: ImportedPolicy) throws -> [String: [String: Any]] {
        let document = try JSONSerialization.jsonObject(with: policy.document) as? [String: Any]
        #expect(document?["allHostsMustBeEvaluated"] as? Bool == false)
        return try #require(document?["hosts"] as? [String: [String: Any]])
    }

    private func imported(
        _ domains: [String: Any],
        _ more: [String: Any] = [:],
        leavingOut fields: Set<String> = []
    ) throws -> ImportedPolicy {
        let configuration = ["TSKPinnedDomains": domains].merging(more) { $1 }
        return try ImportedPolicy(trustKitConfiguration: configuration, leavingOut: fields)
    }

    private func findings(_ domains: [String: Any], _ more: [String: Any] = [:]) -> [PolicyImportError.Finding] {
        let error = #expect(throws: PolicyImportError.self) { try imported(domains, more) }
        return error?.findings ?? []
    }

    @Test func `every key that a policy can say is in it`() throws {
        let policy = try imported(
            [
                "example.com": Self.domain(["TSKIncludeSubdomains": true, "TSKExpirationDate": "2030-01-31"]),
                "Api.example.com": Self.domain(["TSKEnforcePinning": true, "TSKDisableDefaultReportUri": true]),
                "old.example.com": ["TSKExcludeSubdomainFromParentPolicy": true],
                "older.example.com": ["kSKExcludeSubdomainFromParentPolicy": true],
                "try.example.com": [
                    "TSKPublicKeyHashes": [Self.seven], "TSKEnforcePinning": false,
                    "TSKPublicKeyAlgorithms": ["TSKAlgorithmRsa2048"],
                ],
            ],
            ["TSKSwizzleNetworkDelegates": false, "TSKIgnorePinningForUserDefinedTrustAnchors": false]
        )
        #expect(policy.leftOut.isEmpty)
        let hosts = try hosts(policy)
        let pins = [PolicyWorld.seven, PolicyWorld.eight]
        #expect(hosts.count == 5)
        #expect(hosts["**.example.com"]?["pins"] as? [String] == pins)
        let expiration = hosts["**.example.com"]?["expiration"] as? [String: String]
        #expect(expiration == ["date": "2030-01-31", "afterwards": "fallBackToDefaultValidation"])
        #expect(hosts["api.example.com"]?.keys.sorted() == ["pins"])
        #expect(hosts["old.example.com"]?.isEmpty == true)
        #expect(hosts["older.example.com"]?.isEmpty == true)
        #expect(hosts["try.example.com"]?["onMismatch"] as? String == "reportOnly")
        #expect(hosts["try.example.com"]?["requiresBackupPin"] as? Bool == false)
    }

    @Test func `the policy judges as TrustKit does`() throws {
        let policy = try imported([
            "example.com": Self.domain(["TSKIncludeSubdomains": true]),
            "old.example.com": ["TSKExcludeSubdomainFromParentPolicy": true],
        ])
        let manager = try ServerTrustManager(policy: policy.document, relativeTo: "")
        #expect(try manager.policy(for: "a.b.example.com").pattern == "**.example.com")
        #expect(try manager.policy(for: "example.com").pattern == "**.example.com")
        #expect(try manager.policy(for: "old.example.com").evaluator is DefaultTrustEvaluator)
        #expect(try manager.policy(for: "new.old.example.com").pattern == "**.example.com")
        #expect(try manager.policy(for: "other.example").outcome == .system)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `a property list is read, alone or in an Info.plist`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let configuration: [String: Any] = [
            "TSKSwizzleNetworkDelegates": false,
            "TSKPinnedDomains": [
                "example.com": Self.domain(["TSKIncludeSubdomains": true, "TSKEnforcePinning": true])
            ],
        ]
        for list in [configuration, ["CFBundleName": "Example", "TSKConfiguration": configuration]] {
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
            #expect(try hosts(ImportedPolicy(trustKit: data)).keys.sorted() == ["**.example.com"])
        }
    }

    /// A key, a value that no policy can say, and one that it can.
    private static let inexpressible: [(key: String, wrong: any Sendable, right: any Sendable)] = [
        ("TSKReportUris", ["https://reports.example/"], [String]()), ("TSKDisableDefaultReportUri", false, true),
        ("TSKAdditionalTrustAnchors", ["-----BEGIN CERTIFICATE-----"], 0),
        ("TSKFuture", 1, 0),
    ]

    @Test(arguments: inexpressible.indices)
    func `what no policy can say is told, or left out by name`(index: Int) throws {
        let (key, wrong, right) = Self.inexpressible[index]
        let found = findings(["example.com": Self.domain([key: wrong])])
        #expect(found.map(\.field) == [key])
        #expect(found.map(\.place) == ["TSKPinnedDomains.example.com.\(key)"])
        #expect(found.first?.canBeLeftOut == true)
        let policy = try imported(["example.com": Self.domain([key: wrong])], leavingOut: [key])
        #expect(policy.leftOut == found)
        #expect(try hosts(policy).count == 1)
        if !(right is Int) { _ = try imported(["example.com": Self.domain([key: right])]) }
    }

    @Test(arguments: ["TSKSwizzleNetworkDelegates", "TSKIgnorePinningForUserDefinedTrustAnchors", "TSKFuture"])
    func `what is said of the whole is told too`(key: String) throws {
        let found = findings(["example.com": Self.domain()], [key: true])
        #expect(found.map(\.field) == [key])
        #expect(try imported(["example.com": Self.domain()], [key: true], leavingOut: [key]).leftOut == found)
    }

    /// What is malformed, where, and words of the reason.
    private static let malformed: [(domains: [String: any Sendable], place: String, words: String)] = [
        (["example.com": domain(["TSKPublicKeyHashes": [seven]])], ".example.com.TSKPublicKeyHashes", "one pin"),
        (
            ["example.com": domain(["TSKPublicKeyHashes": [seven, seven]])], ".example.com.TSKPublicKeyHashes",
            "one pin"
        ),
        (["example.com": domain(["TSKPublicKeyHashes": [seven, "x"]])], ".TSKPublicKeyHashes[1]", "not a pin"),
        (
            ["example.com": domain(["TSKPublicKeyHashes": [seven, 1] as [any Sendable]])], ".TSKPublicKeyHashes[1]",
            "a string"
        ),
        (["example.com": domain(["TSKPublicKeyHashes": [String]()])], ".example.com.TSKPublicKeyHashes", "none"),
        (["example.com": ["TSKIncludeSubdomains": true]], ".example.com.TSKPublicKeyHashes", "none"),
        (["example.com": domain(["TSKExpirationDate": "31.1.2030"])], ".TSKExpirationDate", "not a date"),
        (["example.com": domain(["TSKIncludeSubdomains": "YES"])], ".TSKIncludeSubdomains", "true or false"),
        (["example.com": domain(["TSKEnforcePinning": 7])], ".TSKEnforcePinning", "true or false"),
        (["example.com": domain(["TSKPublicKeyAlgorithms": ["RSA"]])], ".TSKPublicKeyAlgorithms", "some of"),
        (["com": domain(["TSKIncludeSubdomains": true])], "TSKPinnedDomains.com", "public suffix"),
        (["https://example.com": domain()], "TSKPinnedDomains.https://example.com", "scheme"),
        (["example.com:443": domain()], "TSKPinnedDomains.example.com:443", "without a port"),
        (["*.example.com": domain()], "TSKPinnedDomains.*.example.com", "one host"),
        (["example.com": 1], "TSKPinnedDomains.example.com", "a dictionary"),
        (["example.com": domain(), "Example.com": domain()], "TSKPinnedDomains.example.com", "another spelling"),
        (
            ["example.com": domain(["TSKExcludeSubdomainFromParentPolicy": true])], ".example.com.TSKPublicKeyHashes",
            "no other key"
        ),
        ([:], "TSKPinnedDomains", "none"),
    ]

    @Test(arguments: malformed.indices)
    func `what is malformed is told and cannot be left out`(index: Int) throws {
        let (domains, place, words) = Self.malformed[index]
        let found = findings(domains)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.place.hasSuffix(place) == true, "\(found)")
        #expect(found.first?.reason.contains(words) == true, "\(found)")
        #expect(found.first?.canBeLeftOut == false)
        let fields = Set(found.map(\.field))
        #expect(throws: PolicyImportError.self) { try imported(domains, leavingOut: fields) }
    }

    @Test func `all findings are told at once, in order`() {
        let found = findings(
            ["b.example": ["TSKReportUris": ["x"]], "a.example": Self.domain(["TSKFuture": 1])],
            ["TSKSwizzleNetworkDelegates": true]
        )
        #expect(
            found.map(\.field) == ["TSKFuture", "TSKPublicKeyHashes", "TSKReportUris", "TSKSwizzleNetworkDelegates"]
        )
    }

    @Test(arguments: [
        "", "no plist", "<plist><dict><key>a</key></plist>", #"{"TSKPinnedDomains": {}}"#,
        #"{ TSKPinnedDomains = { "a.example" = { TSKPublicKeyHashes = ("\#(seven)", "\#(eight)"); }; }; }"#,
    ])
    func `what is no property list is told`(text: String) {
        #expect(throws: PolicyImportError.self) { try ImportedPolicy(trustKit: Data(text.utf8)) }
    }

    private static func list(_ domains: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>TSKPinnedDomains</key><dict>\(domains)</dict></dict></plist>
        """
    }

    private static func entry(_ key: String, _ more: String = "") -> String {
        "<key>\(key)</key><dict><key>TSKPublicKeyHashes</key><array><string>\(seven)</string><string>\(eight)</string>"
            + "</array>\(more)</dict>"
    }

    /// What stands in the domains, and the key that stands twice there.
    @Test(arguments: [
        (entry("a.example") + entry("b.example"), nil), (entry("a.example") + entry("a.example"), "a.example"),
        (entry("a.example") + entry("&#97;.example"), "a.example"),
        (entry("a.example") + entry("<![CDATA[a]]>.example"), "a.example"),
        (entry("a.example", "<key>TSKIncludeSubdomains</key><true/>"), nil),
        (
            entry("a.example", "<key>TSKEnforcePinning</key><true/><key>TSKEnforcePinning</key><false/>"),
            "TSKEnforcePinning"
        ),
    ])
    func `a key that stands twice is told`(domains: String, key: String?) throws {
        let list = Data(Self.list(domains).utf8)
        guard let key else { return _ = try ImportedPolicy(trustKit: list) }
        let error = #expect(throws: PolicyImportError.self) { try ImportedPolicy(trustKit: list, leavingOut: [key]) }
        #expect(error?.findings.map(\.field) == [key])
        #expect(error?.findings.first?.place == "line 3")
    }

    @Test func `pins of App Transport Security are told where they would be lost`() throws {
        let configuration: [String: Any] = ["TSKPinnedDomains": ["example.com": Self.domain()]]
        func policy(_ security: [String: Any], leavingOut fields: Set<String> = []) throws -> ImportedPolicy {
            let list: [String: Any] = ["TSKConfiguration": configuration, "NSAppTransportSecurity": security]
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            return try ImportedPolicy(trustKit: data, leavingOut: fields)
        }
        #expect(try policy(["NSAllowsArbitraryLoads": true]).leftOut.isEmpty)
        let pinned = ["NSPinnedDomains": ["other.example": ["NSIncludesSubdomains": true]]]
        let error = #expect(throws: PolicyImportError.self) { try policy(pinned) }
        #expect(error?.findings.map(\.field) == ["NSPinnedDomains"])
        #expect(try policy(pinned, leavingOut: ["NSPinnedDomains"]).leftOut == error?.findings)
    }

    @Test func `a configuration without domains is told`() {
        let error = #expect(throws: PolicyImportError.self) { try ImportedPolicy(trustKitConfiguration: [:]) }
        #expect(error?.findings.map(\.field) == ["TSKPinnedDomains"])
    }
}
