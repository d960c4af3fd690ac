import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// `linchpin explain` and `linchpin evaluate` with `--policy`.
@Suite struct PolicyCommandTests {
    private static let host = "api.example.com"
    private static let stranger = "sha256/\(Data(repeating: 7, count: 32).base64EncodedString())"

    private let directory: TemporaryDirectory
    private let pin: String

    /// A directory with a chain, its root and a root of strangers.
    init() throws {
        directory = try TemporaryDirectory()
        let root = try LocalCertificateAuthority(name: "Root")
        let server = try root.issue([.dns(Self.host)])
        pin = server.pin.description
        try directory.write(root.certificate.pem, to: "root.pem")
        try directory.write(LocalCertificateAuthority(name: "Foreign").certificate.pem, to: "foreign.pem")
        try directory.write(server.chain.map(\.pem).joined(), to: "chain.pem")
    }

    private func linchpin(_ arguments: [String]) async throws -> (ending: ChildProcess.Ending?, output: String) {
        let process = try ChildProcess(BuiltProgram.linchpin, arguments, in: TemporaryDirectory())
        try await eventually(within: 60) { process.ending != nil }
        return (process.ending, process.output)
    }

    private func explain(
        _ policy: String,
        _ arguments: [String]
    ) async throws -> (
        ending: ChildProcess.Ending?, output: String
    ) {
        let file = try directory.write(policy, to: "policy.json")
        return try await linchpin(["explain", "--policy", file] + arguments)
    }

    private func evaluate(
        _ policy: String,
        host: String = host,
        _ more: [String] = []
    ) async throws -> (
        ending: ChildProcess.Ending?, output: String
    ) {
        let file = try directory.write(policy, to: "policy.json")
        let chain = directory.path(of: "chain.pem")
        return try await linchpin(["evaluate", "--policy", file, "--chain", chain, "--host", host] + more)
    }

    private func policy(_ entry: String, pattern: String = host, others: String = "true") -> String {
        #"{"version": 1, "allHostsMustBeEvaluated": \#(others), "hosts": {"\#(pattern)": \#(entry)}}"#
    }

    /// What a program hands over with its policy is not there, and nothing is shown or reported.
    @Test func `a policy that names what a program hands over is explained and judged`() async throws {
        let identity = policy(#"{"roots": ["root.pem"], "clientIdentity": "me"}"#)
        #expect(try await explain(identity, [Self.host]).ending == .exited(0))
        #expect(try await evaluate(identity).ending == .exited(0))
        let foreign = policy(#"{"roots": ["foreign.pem"], "clientIdentity": "me"}"#)
        #expect(try await evaluate(foreign).ending == .exited(1))
        let pins = #""roots": ["root.pem"], "requiresBackupPin": false, "pins": ["\#(Self.stranger)"]"#
        for (action, code) in [("reportOnly", 0), ("refuseAndReport", 1)] as [(String, Int32)] {
            let reporting = policy(#"{\#(pins), "onMismatch": "\#(action)"}"#)
            #expect(try await explain(reporting, [Self.host]).ending == .exited(0))
            #expect(try await evaluate(reporting).ending == .exited(code))
        }
    }

    // MARK: explain

    @Test func `explain names the entry of the file`() async throws {
        let entry = #"{"pins": ["\#(pin)"], "requiresBackupPin": false, "roots": "given"}"#
        let (ending, output) = try await explain(policy(entry, pattern: "*.example.com"), [Self.host])
        #expect(ending == .exited(0))
        #expect(output.contains("the entry \"*.example.com\""), "\(output)")
        #expect(output.contains("one of 1 pinned keys"))
        let json = try await explain(policy(entry, pattern: "*.example.com"), [Self.host, "--json"])
        #expect(json.ending == .exited(0))
        #expect(json.output.contains(#""pattern" : "*.example.com""#), "\(json.output)")
    }

    @Test func `explain refuses a host without an entry, unless the file says otherwise`() async throws {
        let refused = try await explain(policy("{}"), ["b.example"])
        #expect(refused.ending == .exited(1))
        #expect(refused.output.contains("no entry matches"))
        let system = try await explain(policy("{}", others: "false"), ["b.example"])
        #expect(system.ending == .exited(0))
        #expect(system.output.contains("the system's roots"))
    }

    @Test func `explain takes the file alone, once`() async throws {
        for (more, words) in [
            (["--entry", "a.example"], "leave out --entry"), (["--allow-others"], "leave out --entry"),
            (["--policy", "x"], "given twice"), (["--policy"], "needs a file"),
        ] {
            let (ending, output) = try await explain(policy("{}"), [Self.host] + more)
            #expect(ending == .exited(2))
            #expect(output.contains(words), "\(output)")
            #expect(output.contains("usage: linchpin explain"))
        }
    }

    // MARK: evaluate

    @Test func `evaluate judges by the entry of the file`() async throws {
        let roots = #""requiresBackupPin": false, "roots": ["root.pem"]"#
        let trusted = try await evaluate(policy(#"{"pins": ["\#(pin)"], \#(roots)}"#, pattern: "*.example.com"))
        #expect(trusted.ending == .exited(0), "\(trusted.output)")
        #expect(trusted.output.contains("trusted: api.example.com"))
        #expect(trusted.output.contains("judged by the entry \"*.example.com\""))
        let (ending, output) = try await evaluate(policy(#"{"pins": ["\#(Self.stranger)"], \#(roots)}"#))
        #expect(ending == .exited(1))
        #expect(output.contains("pinMismatch"), "\(output)")
        #expect(!output.contains("trusted:"))
    }

    @Test(arguments: [(#"["root.pem"]"#, nil), (#"["foreign.pem"]"#, "noAnchor"), (#""system""#, "noAnchor")])
    func `evaluate takes the roots of the entry`(roots: String, refusal: String?) async throws {
        let (ending, output) = try await evaluate(policy(#"{"roots": \#(roots)}"#))
        #expect(ending == .exited(refusal == nil ? 0 : 1))
        #expect(output.contains(refusal ?? "trusted: api.example.com"), "\(output)")
    }

    @Test func `evaluate wants roots where the file says so, and only there`() async throws {
        let (given, root) = (policy(#"{"roots": "given"}"#), ["--roots", directory.path(of: "root.pem")])
        #expect(try await evaluate(given, root).ending == .exited(0))
        let foreign = try await evaluate(given, ["--roots", directory.path(of: "foreign.pem")])
        #expect(foreign.ending == .exited(1))
        let none = try await evaluate(given)
        #expect(none.ending == .exited(2))
        #expect(none.output.contains(#"$.hosts["api.example.com"].roots: "given" stands for"#), "\(none.output)")
        let idle = try await evaluate(policy(#"{"roots": ["root.pem"]}"#), root)
        #expect(idle.ending == .exited(2))
        #expect(idle.output.contains("--roots would not count"))
    }

    @Test func `evaluate refuses a host without an entry, unless the file says otherwise`() async throws {
        let entry = #"{"roots": ["root.pem"]}"#
        let refused = try await evaluate(policy(entry, pattern: "b.example"))
        #expect(refused.ending == .exited(1))
        #expect(refused.output.contains("noRequiredEvaluator"), "\(refused.output)")
        let system = try await evaluate(policy(entry, pattern: "b.example", others: "false"))
        #expect(system.ending == .exited(1))
        #expect(system.output.contains("noAnchor"), "\(system.output)")
    }

    @Test func `evaluate judges for a port, 443 if none is given`() async throws {
        let entry = #"{"roots": ["root.pem"]}"#
        for (pattern, host, isTrusted) in [
            ("api.example.com:8443", "api.example.com:8443", true), ("api.example.com:8443", "api.example.com", false),
            ("api.example.com:443", "api.example.com", true), ("api.example.com", "API.example.com.:8443", true),
        ] {
            let (ending, output) = try await evaluate(policy(entry, pattern: pattern), host: host)
            #expect(ending == .exited(isTrusted ? 0 : 1), "\(host): \(output)")
        }
    }

    @Test func `evaluate has no other say in a profile or a batch`() async throws {
        let entry = policy(#"{"roots": ["root.pem"]}"#)
        for (more, words) in [
            (["--profile", "web-pki"], "leave out --profile"), (["--batch"], "standard input"),
            (["--policy", "x"], "given twice"), (["--policy"], "needs a value"),
        ] {
            let (ending, output) = try await evaluate(entry, more)
            #expect(ending == .exited(2))
            #expect(output.contains(words), "\(output)")
        }
    }

    // MARK: Both

    @Test func `a file with a mistake ends both with 2 and its place`() async throws {
        for (text, place) in [
            (
                policy(#"{"pins": ["\#(Self.stranger)", "x"]}"#),
                #"$.hosts["api.example.com"].pins[1]: "x" is not a pin"#
            ),
            (policy(#"{"roots": ["r.pem"]}"#), #".roots[0]: \#(directory.path)/r.pem: No such file or directory"#),
            (#"{"version": 1"#, "policy.json: $: the text is not JSON"), ("{}", "policy.json: $.version: "),
        ] {
            for (ending, output) in [try await explain(text, [Self.host]), try await evaluate(text)] {
                #expect(ending == .exited(2))
                #expect(output.contains(place), "\(output)")
                #expect(!output.contains("usage:"))
            }
        }
    }

    @Test func `a file that cannot be read ends both with 2 and errno's words`() async throws {
        let missing = directory.path(of: "missing.json")
        let chain = ["--chain", directory.path(of: "chain.pem"), "--host", Self.host]
        for arguments in [["explain", Self.host], ["evaluate"] + chain] {
            let (ending, output) = try await linchpin(arguments + ["--policy", missing])
            #expect(ending == .exited(2))
            #expect(output.contains("\(missing): No such file or directory"), "\(output)")
        }
    }

    @Test(arguments: ["explain", "evaluate"])
    func `help shows the format`(command: String) async throws {
        let (ending, output) = try await linchpin([command, "--help"])
        #expect(ending == .exited(0))
        for field in ["version", "allHostsMustBeEvaluated", "hosts", "pins", "requiresBackupPin", "expiration", "date"]
        {
            #expect(output.contains("\"\(field)\""))
        }
        for field in ["afterwards", "performDefaultValidation", "validateHost", "roots", "profile"] {
            #expect(output.contains("\"\(field)\""))
        }
    }
}
