import Foundation
import LinchpinTestSupport
import Testing

/// `linchpin policy check` and `linchpin policy import`.
@Suite struct PolicyFileCommandTests {
    private let world: PolicyToolWorld

    init() throws { world = try PolicyToolWorld() }

    private static let pins = #""pins": ["\#(PolicyToolWorld.seven)", "\#(PolicyToolWorld.eight)"]"#

    // MARK: check

    @Test func `check says what a policy means for each host`() async throws {
        let file = try world.write(hosts: [
            "a.example": #"{\#(Self.pins), "expiration": {"date": "2020-01-31", "afterwards": "refuse"}}"#,
            "*.b.example": #"{"roots": "given", "clientIdentity": "me", "revocation": {}}"#,
        ])
        let answer = try await world.policy(["check", file, "--roots", world.path("root.pem")])
        #expect(answer.ending == .exited(0), "\(answer.output)")
        for words in [
            "a policy of 2 entries", "a.example", "one of 2 pinned keys", PolicyToolWorld.seven, "2020-01-31",
            "days ago", "*.b.example", "not revoked", "client identity \"me\"", "other hosts: refused",
        ] {
            #expect(answer.output.contains(words), "\(words): \(answer.output)")
        }
        let json = try await world.policy(["check", file, "--roots", world.path("root.pem"), "--json"]).json()
        #expect(
            (json["entries"] as? [[String: Any]])?.map { $0["pattern"] as? String } == ["*.b.example", "a.example"]
        )
        #expect(json["refusesOtherHosts"] as? Bool == true)
    }

    @Test func `check ends with 1 for a mistake, and tells its place`() async throws {
        let wrong = try world.write(hosts: ["a.example": #"{"pins": ["x"]}"#])
        let answer = try await world.policy(["check", wrong])
        #expect(answer.ending == .exited(1))
        #expect(answer.output.contains(#"$.hosts["a.example"].pins[0]: "x" is not a pin"#), "\(answer.output)")
        let twice = try world.write(hosts: ["a.example": "{}", "A.example": "{}"])
        #expect(try await world.policy(["check", twice]).ending == .exited(1))
        let right = try world.write(hosts: ["a.example": "{\(Self.pins)}"])
        #expect(try await world.policy(["check", right]).ending == .exited(0))
    }

    // MARK: import

    private static let android = """
        <network-security-config>
            <base-config cleartextTrafficPermitted="false"/>
            <domain-config>
                <domain includeSubdomains="true">example.com</domain>
                <trust-anchors><certificates src="@raw/root"/></trust-anchors>
            </domain-config>
        </network-security-config>
        """

    @Test func `of several files for one name none is taken`() async throws {
        let raw = try TemporaryDirectory()
        let file = try world.directory.write(Self.android, to: "nsc.xml")
        let arguments = [
            "import", "--android", file, "--raw", raw.path, "--leave-out", "cleartextTrafficPermitted",
        ]
        let root = try String(contentsOfFile: world.directory.path(of: "root.pem"), encoding: .utf8)
        try raw.write(root, to: "root.pem")
        #expect(try await world.policy(arguments).ending == .exited(0))
        try raw.write(root, to: "root.old.pem")
        let refused = try await world.policy(arguments)
        #expect(refused.ending == .exited(1))
        #expect(refused.output.contains("@raw/root"))
    }

    @Test func `import prints a policy that check takes`() async throws {
        let file = try world.directory.write(Self.android, to: "nsc.xml")
        let arguments = ["import", "--android", file, "--raw", world.directory.path]
        let refused = try await world.policy(arguments)
        #expect(refused.ending == .exited(1))
        #expect(refused.output.contains("line 2, base-config: "), "\(refused.output)")
        #expect(!refused.output.contains("\"version\""))

        let made = try await world.policy(arguments + ["--leave-out", "cleartextTrafficPermitted"])
        #expect(made.ending == .exited(0), "\(made.output)")
        #expect(made.output.contains("left out: line 2, base-config"))
        let start = try #require(made.output.firstIndex(of: "{"))
        let policy = try world.directory.write(String(made.output[start...]), to: "made.json")
        let check = try await world.policy(["check", policy])
        #expect(check.ending == .exited(0))
        #expect(check.output.contains("**.example.com"))
    }

    @Test func `import reads property lists`() async throws {
        let hashes = [PolicyToolWorld.seven, PolicyToolWorld.eight].map { String($0.dropFirst(7)) }
        let configuration: [String: Any] = [
            "TSKSwizzleNetworkDelegates": true,
            "TSKPinnedDomains": ["example.com": ["TSKPublicKeyHashes": hashes, "TSKIncludeSubdomains": true]],
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: configuration, format: .binary, options: 0)
        let file = try world.directory.write(data, to: "trustkit.plist")
        let refused = try await world.policy(["import", "--trustkit", file])
        #expect(refused.ending == .exited(1))
        #expect(refused.output.contains("may be left out: TSKSwizzleNetworkDelegates"), "\(refused.output)")
        let made = try await world.policy([
            "import", "--trustkit", file, "--leave-out", "TSKSwizzleNetworkDelegates",
        ])
        #expect(made.ending == .exited(0))
        #expect(made.output.contains("**.example.com"))
    }

    // MARK: Usage

    @Test(arguments: [
        ([], "usage: linchpin policy check"), (["chek"], "usage: linchpin policy check"),
        (["check"], "FILE is missing"), (["check", "a", "b"], "one FILE at a time"),
        (["check", "a", "--jsn"], "unknown"),
        (["check", "/none/policy.json"], "No such file"), (["import"], "either --trustkit or --android"),
        (["import", "--trustkit", "a", "--android", "b"], "either --trustkit or --android"),
        (["import", "--trustkit", "a", "--raw", "b"], "--raw goes with --android"),
        (["import", "--android"], "needs a value"), (["import", "--android", "a", "--android", "b"], "given twice"),
        (["import", "a"], "unknown argument: a"), (["sign"], "FILE is missing"),
        (["sign", "a", "--key", "b"], "--version is missing"),
        (["sign", "a", "--key", "b", "--version", "0"], "whole number"),
        (["sign", "a", "--key", "b", "--version", "1", "--expires", "soon"], "not a time"),
        (["verify", "a"], "--key is missing"), (["verify", "--key", "/none/key"], "No such file"),
    ])
    func `wrong usage ends with 2 and says why`(arguments: [String], words: String) async throws {
        let answer = try await world.policy(arguments)
        #expect(answer.ending == .exited(2))
        #expect(answer.output.contains(words), "\(answer.output)")
    }

    @Test(arguments: ["check", "import", "sign", "verify", "audit"])
    func `help says what a subcommand does`(name: String) async throws {
        let answer = try await world.policy([name, "--help"])
        #expect(answer.ending == .exited(0))
        #expect(answer.output.contains("usage: linchpin policy \(name)"))
        #expect(answer.output.contains("Exit codes: 0"))
    }
}
