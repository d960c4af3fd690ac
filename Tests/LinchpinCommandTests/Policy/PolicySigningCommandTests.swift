import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// `linchpin policy sign` and `linchpin policy verify`.
@Suite struct PolicySigningCommandTests {
    private let world: PolicyToolWorld

    init() throws { world = try PolicyToolWorld() }

    private func sign(
        _ version: Int,
        _ more: [String] = [],
        expires: String = "2100-01-31T12:00:00Z"
    ) async throws -> String {
        let file = try world.write(hosts: ["a.example": "{}"])
        let arguments = ["sign", file, "--version", "\(version)", "--expires", expires]
        let answer = try await world.policy(arguments + (more.isEmpty ? ["--key", world.path("key.pem")] : more))
        #expect(answer.ending == .exited(0), "\(answer.output)")
        return try world.directory.write(answer.output, to: "signed-\(version).json")
    }

    private func verify(_ documents: [String], _ more: [String] = []) async throws -> PolicyToolWorld.Answer {
        try await world.policy(["verify", "--key", world.path("key.pub")] + documents + more)
    }

    @Test func `what was signed is verified`() async throws {
        let (one, two) = (try await sign(1), try await sign(2))
        let answer = try await verify([one, two])
        #expect(answer.ending == .exited(0), "\(answer.output)")
        #expect(answer.output.contains("version 2, to be taken on until 2100-01-31T12:00:00Z"))
        let rolledBack = try await verify([two, one])
        #expect(rolledBack.ending == .exited(1))
        #expect(rolledBack.output.contains("policyRolledBack"), "\(rolledBack.output)")
    }

    @Test func `a store keeps older policies out`() async throws {
        let (one, two, store) = (try await sign(1), try await sign(2), ["--store", world.path("kept.json")])
        #expect(try await verify([one], store).ending == .exited(0))
        #expect(try await verify([two], store).ending == .exited(0))
        let older = try await verify([one], store)
        #expect(older.ending == .exited(1))
        #expect(older.output.contains("policyRolledBack"))
        #expect(
            FileManager.default.contents(atPath: world.path("kept.json")) == FileManager.default.contents(atPath: two)
        )
    }

    @Test func `a stranger's signature, a past date and a cut document are refused`() async throws {
        try world.directory.write(PrivateKey(.ed25519).pem, to: "stranger.pem")
        let foreign = try await verify([sign(1, ["--key", world.path("stranger.pem")])])
        #expect(foreign.ending == .exited(1))
        #expect(foreign.output.contains("policySignatureInvalid"), "\(foreign.output)")
        let past = try await verify([sign(1, expires: "2020-01-31T12:00:00Z")])
        #expect(past.ending == .exited(1))
        #expect(past.output.contains("policyExpired"))
        let whole = try await sign(1)
        let bytes = try #require(FileManager.default.contents(atPath: whole))
        let cut = try await verify([world.directory.write(bytes.prefix(200), to: "cut.json")])
        #expect(cut.ending == .exited(1))
        #expect(cut.output.contains("malformedPolicy"))
        #expect(try await verify([whole]).ending == .exited(0))
    }

    @Test func `an encrypted key signs with its password`() async throws {
        try world.directory.write(world.key.encryptedPEM(password: "seesam"), to: "locked.pem")
        let password = try world.directory.write("seesam\n", to: "password")
        let wrong = try world.directory.write("sesam\n", to: "wrong")
        let key = ["--key", world.path("locked.pem")]
        #expect(try await verify([sign(1, key + ["--password-file", password])]).ending == .exited(0))
        let file = try world.write(hosts: ["a.example": "{}"])
        let rest = ["--version", "1", "--expires", "2100-01-31T12:00:00Z"]
        for more in [[], ["--password-file", wrong]] {
            let answer = try await world.policy(["sign", file] + key + rest + more)
            #expect(answer.ending == .exited(1))
            #expect(answer.output.contains("password"), "\(answer.output)")
            #expect(!answer.output.contains("signature\""))
        }
    }

    @Test func `a file with a mistake is not signed`() async throws {
        let file = try world.write(hosts: ["a.example": #"{"pin": 1}"#])
        let answer = try await world.policy([
            "sign", file, "--key", world.path("key.pem"), "--version", "1", "--expires", "2100-01-31T12:00:00Z",
        ])
        #expect(answer.ending == .exited(1))
        #expect(answer.output.contains(#"$.hosts["a.example"].pin"#), "\(answer.output)")
    }

    /// A writer is killed at 200 random moments; the policy that is kept loads each time, and never goes back.
    @Test(arguments: 0..<4)
    func `a killed writer leaves the old policy or the new one`(lane: Int) async throws {
        let documents = try (1...40).map { version in
            let document = try SignedPolicy.document(
                policy: Data(#"{"version": 1, "hosts": {"a.example": {}}}"#.utf8),
                version: version,
                expires: Date(timeIntervalSince1970: 4_000_000_000),
                privateKey: world.key.pem
            )
            return try world.directory.write(document, to: "\(version).json")
        }
        let path = world.path("kept.json")
        let store = SignedPolicyStore(path: path, key: try world.key.publicKey)
        var (kept, killed, sawProgress) = (0, 0, 0)
        while killed < 50 {
            if kept == documents.count {
                for name in [path, "\(path).new"] { try? FileManager.default.removeItem(atPath: name) }
                kept = 0
            }
            // Whatever the writer before left behind stays.
            let beforehand = (new: mark("\(path).new"), kept: mark(path))
            let arguments = ["policy", "verify", "--key", world.path("key.pub"), "--store", path]
            let writer = try ChildProcess(
                BuiltProgram.linchpin,
                arguments + documents[kept...],
                in: TemporaryDirectory()
            )
            // From the moment at which it begins to write; before that nothing can happen to the file.
            try await eventually(within: 30) {
                mark("\(path).new") != beforehand.new || mark(path) != beforehand.kept || writer.ending != nil
            }
            try await Task.sleep(for: .microseconds(.random(in: 0...3_000)))
            writer.send(signal: SIGKILL)
            try await eventually(within: 30) { writer.ending != nil }
            if writer.ending == .signalled(SIGKILL) { killed += 1 }
            // What a program does that starts next.
            let fresh = SignedPolicyStore(path: path, key: try world.key.publicKey)
            let manager = try ServerTrustManager(evaluators: ["b.example": DefaultTrustEvaluator()])
            let version = try manager.restoreSignedPolicy(from: fresh) ?? 0
            #expect(try store.stored()?.version ?? 0 == version)
            #expect(version >= kept)
            if version > kept { sawProgress += 1 }
            kept = version
        }
        #expect(sawProgress > 0)
    }

    /// Changes with every write; nil for no file.
    private func mark(_ path: String) -> [Int]? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return [Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
}
