import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// `linchpin evaluate`, one chain from files and batches of lines.
@Suite struct EvaluateCommandTests {
    /// A server for `api.example.com` with its files.
    struct World {
        static let host = "api.example.com"
        let directory: TemporaryDirectory
        let root: LocalCertificateAuthority
        let server: ServerIdentity
        let roots: String
        let chain: String

        init() throws {
            directory = try TemporaryDirectory()
            root = try LocalCertificateAuthority()
            server = try root.intermediate().issue([.dns(World.host), .ip("192.0.2.1")])
            roots = try directory.write(root.certificate.pem, to: "roots.pem")
            chain = try directory.write(server.chain.map(\.pem).joined(), to: "chain.pem")
        }

        var now: String { Date().rfc3339 }

        func question(_ changes: [String: Any?] = [:]) throws -> String {
            var members: [String: Any] = [
                "id": "one", "roots": [root.certificate.pem], "chain": server.chain.map(\.pem), "host": World.host,
                "kind": "dns", "time": now,
            ]
            for (name, value) in changes { members[name] = value }
            return String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
        }
    }

    private struct Answer: Decodable, Equatable {
        let id: String?
        let trusted: Bool
        let error: String?
    }

    private func run(_ program: String, _ arguments: [String]) async throws -> (ChildProcess.Ending?, String) {
        let process = try ChildProcess(program, arguments, in: TemporaryDirectory())
        try await eventually(within: 60) { process.ending != nil }
        return (process.ending, process.output)
    }

    private func evaluate(_ arguments: String...) async throws -> (ChildProcess.Ending?, String) {
        try await run(BuiltProgram.linchpin, ["evaluate"] + arguments)
    }

    private func batch(_ input: Data, _ world: World) async throws -> [Answer] {
        let file = try world.directory.write(input, to: "batch")
        let (ending, output) = try await run(
            "sh",
            ["-c", "exec \"$0\" evaluate --batch < \"$1\"", BuiltProgram.linchpin, file]
        )
        #expect(ending == .exited(0))
        return try output.split(separator: "\n").map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
    }

    // MARK: One chain

    @Test func `a trusted chain ends with 0, a refused one with 1 and the reason`() async throws {
        let world = try World()
        let arguments = ["evaluate", "--roots", world.roots, "--chain", world.chain, "--host"]
        for host in [World.host, "API.example.com.", "192.0.2.1"] {
            #expect(try await run(BuiltProgram.linchpin, arguments + [host]).0 == .exited(0))
        }
        for host in ["www.example.com", "192.0.2.2", "", ".com", "a..b", "b\u{FC}cher.example", "a b"] {
            let (ending, output) = try await run(BuiltProgram.linchpin, arguments + [host])
            #expect(ending == .exited(1), "\(host)")
            #expect(output.contains("linchpin evaluate: "))
        }
    }

    @Test func `the time is the caller's`() async throws {
        let world = try World()
        let base = ["evaluate", "--roots", world.roots, "--chain", world.chain, "--host", World.host, "--time"]
        let end = world.server.certificate.notAfter
        for (time, ending) in [
            (end.rfc3339, 0), (end.rfc3339.dropLast() + ".999Z", 0), (end.addingTimeInterval(1).rfc3339, 1),
            ("2001-01-01T00:00:00+01:00", 1), ("tomorrow", 2), ("2030-02-30T00:00:00Z", 2), ("", 2),
        ] {
            #expect(try await run(BuiltProgram.linchpin, base + [String(time)]).0 == .exited(Int32(ending)), "\(time)")
        }
    }

    @Test func `a profile is honoured`() async throws {
        let world = try World()
        var profile = CertificateProfile.server
        profile.extendedKeyUsages = []
        let server = try world.root.issue([.dns(World.host)], profile: profile)
        let chain = try world.directory.write(server.certificate.pem, to: "bare.pem")
        for (name, ending) in [("web-pki", 1), ("private-pki", 0), ("none", 2)] {
            let (ended, _) = try await evaluate(
                "--roots",
                world.roots,
                "--chain",
                chain,
                "--host",
                World.host,
                "--profile",
                name
            )
            #expect(ended == .exited(Int32(ending)), "\(name)")
        }
    }

    @Test func `a file that cannot be read ends with 2, what is no certificate with 1`() async throws {
        let world = try World()
        let broken = try world.directory.write(
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            to: "x"
        )
        let empty = try world.directory.write("", to: "empty")
        for (chain, ending) in [("/nonexistent", 2), (world.directory.path, 2), (broken, 1), (empty, 1)] {
            let (ended, output) = try await evaluate("--roots", world.roots, "--chain", chain, "--host", World.host)
            #expect(ended == .exited(Int32(ending)), "\(chain)")
            #expect(output.contains(chain))
        }
        #expect(try await evaluate("--roots", empty, "--chain", world.chain, "--host", World.host).0 == .exited(1))
    }

    @Test(arguments: [
        [], ["--batch", "--host", "a"], ["--roots"], ["--chain", "a", "--host", "b"], ["--batch", "extra"],
        ["--host", "a", "--host", "b"], ["-x"],
    ])
    func `wrong usage ends with 2 and says why`(arguments: [String]) async throws {
        let (ending, output) = try await run(BuiltProgram.linchpin, ["evaluate"] + arguments)
        #expect(ending == .exited(2))
        #expect(output.contains("usage: linchpin evaluate"))
    }

    // MARK: Batches

    @Test func `every line has an answer, whatever it holds`() async throws {
        let world = try World()
        let lines: [(line: Data, id: String?, isTrusted: Bool)] = [
            (Data(try world.question().utf8), "one", true),
            (Data(try world.question(["id": "ip", "host": "192.0.2.1", "kind": "ip"]).utf8), "ip", true),
            (Data(try world.question(["host": "www.example.com"]).utf8), "one", false),
            (Data(try world.question(["kind": "ip"]).utf8), "one", false),
            (Data(try world.question(["host": "192.0.2.1"]).utf8), "one", false),
            (Data(try world.question(["kind": "uri"]).utf8), "one", false),
            (Data(try world.question(["host": "b\u{FC}cher.example"]).utf8), "one", false),
            (Data(try world.question(["host": "api.example.com\u{0}"]).utf8), "one", false),
            (Data(try world.question(["time": "now"]).utf8), "one", false),
            (Data(try world.question(["time": 5]).utf8), "one", false),
            (Data(try world.question(["crls": [String]()]).utf8), "one", false),
            (Data(try world.question(["roots": [String]()]).utf8), "one", false),
            (Data(try world.question(["roots": [""]]).utf8), "one", false),
            (Data(try world.question(["chain": [String]()]).utf8), "one", false),
            (Data(try world.question(["chain": "x"]).utf8), "one", false),
            (Data(try world.question(["id": 5]).utf8), nil, false),
            (Data(#"{"id":"bare"}"#.utf8), "bare", false),
            (Data("[]".utf8), nil, false),
            (Data("".utf8), nil, false),
            (Data("{".utf8), nil, false),
            (Data([0x7B, 0x22, 0xFF, 0x22, 0x7D]), nil, false),
            (Data(String(repeating: "[", count: 100_000).utf8), nil, false),
            (Data(repeating: UInt8(ascii: "a"), count: 17 << 20), nil, false),
            (Data(try world.question(["id": "last"]).utf8), "last", true),
        ]
        let answers = try await batch(Data(lines.map(\.line).joined(separator: [0x0A])), world)
        #expect(answers.count == lines.count)
        for (answer, expected) in zip(answers, lines) {
            #expect(answer.id == expected.id)
            #expect(answer.trusted == expected.isTrusted, "\(answer)")
            #expect((answer.error == nil) == expected.isTrusted)
        }
    }

    @Test func `no line has no answer`() async throws { #expect(try await batch(Data(), World()).isEmpty) }

    @Test func `an answer comes before the next line`() async throws {
        let world = try World()
        let file = try world.directory.write(world.question() + "\n", to: "line")
        let script = """
            coproc LINCHPIN { "$0" evaluate --batch; }
            for round in 1 2 3; do
                cat "$1" >&${LINCHPIN[1]}
                read -r -t 20 answer <&${LINCHPIN[0]} || exit 9
                echo "$answer"
            done
            """
        let (ending, output) = try await run("bash", ["-c", script, BuiltProgram.linchpin, file])
        #expect(ending == .exited(0))
        #expect(output.split(separator: "\n").count(where: { $0.contains(#""trusted":true"#) }) == 3)
    }

    // MARK: Cases from outside

    @Test(.needsShared("limbo/limbo_run.py"), arguments: ["core", "pedantic"])
    func `the cases of x509-limbo are all right`(set: String) async throws {
        let runner = try #require(SharedFolder.path(of: "limbo/limbo_run.py"))
        let (ending, output) = try await run(
            "python3",
            [runner, "--set", set, "--batch", "--", BuiltProgram.linchpin, "evaluate", "--batch"]
        )
        #expect(ending == .exited(0), "\(output)")
        #expect(output.contains(" 0 failed"))
    }

    @Test(.needsShared("limbo/limbo_run.py"))
    func `files and batches have the same answers`() async throws {
        let runner = try #require(SharedFolder.path(of: "limbo/limbo_run.py"))
        let arguments = [runner, "--filter", "*::san::*", "--", BuiltProgram.linchpin, "evaluate"]
        let (ending, output) = try await run("python3", arguments)
        #expect(ending == .exited(0), "\(output)")
    }
}
