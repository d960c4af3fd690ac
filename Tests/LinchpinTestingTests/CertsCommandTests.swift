import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct CertsCommandTests {
    static let names = [
        "valid-p256", "valid-rsa2048", "valid-ed25519", "expired", "not-yet-valid", "wrong-host", "self-signed",
        "unknown-root", "wildcard", "cn-only", "client",
    ]

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Runs the tool that was built beside the tests.
    private func certs(_ arguments: String...) throws -> ClientTool { try certs(arguments) }

    private func certs(_ arguments: [String]) throws -> ClientTool {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return try ClientTool.run(folder.appendingPathComponent("linchpin").path, ["certs"] + arguments)
    }

    private func certificates(_ name: String) throws -> [Certificate] {
        try Certificate.certificates(pem: directory.text(of: "\(name).pem"))
    }

    /// What a client finds that trusts one certificate; nil for nothing wrong.
    private func judgement(_ name: String, host: String, root: String = "root") throws -> TrustError.Code? {
        let trust = try ServerTrust(presentedChain: certificates(name), host: host, date: Date())
        do {
            try trust.validatedChain(roots: .certificates(certificates(root)))
            try trust.validateHost()
            return nil
        } catch {
            return (error as? TrustError)?.code
        }
    }

    @Test func `every certificate is what its name says`() throws {
        #expect(try certs("--output", directory.path).status == 0)
        for host in ["localhost", "127.0.0.1", "::1"] {
            for name in ["valid-p256", "valid-rsa2048", "valid-ed25519", "wildcard"] {
                #expect(try judgement(name, host: host) == nil, "\(name) for \(host)")
            }
            #expect(try judgement("expired", host: host) == .expired)
            #expect(try judgement("not-yet-valid", host: host) == .notYetValid)
            #expect(try judgement("wrong-host", host: host) == .hostMismatch)
            #expect(try judgement("cn-only", host: host) == .hostMismatch)
            #expect(try judgement("self-signed", host: host) == .noAnchor)
            #expect(try judgement("self-signed", host: host, root: "self-signed") == nil)
            #expect(try judgement("unknown-root", host: host) == .noAnchor)
            #expect(try judgement("unknown-root", host: host, root: "unknown-root-ca") == nil)
            #expect(try judgement("client", host: host) == .chainInvalid)
        }
        #expect(try judgement("wildcard", host: "api.linchpin.test") == nil)
        #expect(try judgement("wildcard", host: "a.b.linchpin.test") == .hostMismatch)
        #expect(try judgement("wrong-host", host: "elsewhere.test") == nil)
        #expect(try certificates("valid-p256") == [certificates("valid-p256")[0]] + certificates("intermediate"))
    }

    @Test func `every key is that of its chain, and its owner's alone`() throws {
        #expect(try certs("--output", directory.path).status == 0)
        for name in Self.names {
            #expect(throws: Never.self) {
                try ServerIdentity(
                    chainPEM: directory.text(of: "\(name).pem"),
                    privateKeyPEM: directory.text(of: "\(name).key")
                )
            }
            #expect(try directory.mode(of: "\(name).key") == 0o600)
        }
        #expect(try directory.mode(of: "root.key") == 0o600)
        let authorities = ["root.pem", "root.key", "intermediate.pem", "unknown-root-ca.pem"]
        let expected = Set(Self.names.flatMap { ["\($0).pem", "\($0).key"] } + authorities)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: directory.path)) == expected)
    }

    @Test func `the root's key issues more`() throws {
        #expect(try certs("--output", directory.path).status == 0)
        let authority = try LocalCertificateAuthority(
            certificate: certificates("root")[0],
            privateKey: PrivateKey(pem: directory.text(of: "root.key"))
        )
        try authority.issue(["dev.linchpin.test"]).write(to: directory.path, name: "dev")
        #expect(try judgement("dev", host: "dev.linchpin.test") == nil)
    }

    @Test func `standard output has the pins`() throws {
        let run = try certs("--output", directory.path)
        let lines = run.text.split(separator: "\n").map { $0.components(separatedBy: "\t") }
        #expect(lines.count == Self.names.count + 3)
        for line in lines {
            try #require(line.count == 2)
            #expect(try Certificate.certificates(contentsOfFile: line[0])[0].publicKeyPin.description == line[1])
        }
    }

    @Test func `a complete set is kept, unless new ones are forced`() throws {
        #expect(try certs("--output", directory.path).status == 0)
        let first = try certificates("valid-p256")
        let kept = try certs("--output", directory.path)
        #expect(kept.status == 0)
        #expect(kept.errors.contains("kept"))
        #expect(try certificates("valid-p256") == first)
        let forced = try certs("--output", directory.path, "--force")
        #expect(forced.status == 0)
        #expect(try certificates("valid-p256") != first)
        #expect(try judgement("valid-p256", host: "localhost") == nil)
    }

    @Test(arguments: ["root.pem", "root.key", "expired.key", "valid-p256.pem"])
    func `a set with a gap is made anew`(missing: String) throws {
        #expect(try certs("--output", directory.path).status == 0)
        let first = try certificates("valid-ed25519")
        try FileManager.default.removeItem(atPath: "\(directory.path)/\(missing)")
        #expect(try certs("--output", directory.path).status == 0)
        #expect(try certificates("valid-ed25519") != first)
        #expect(FileManager.default.fileExists(atPath: "\(directory.path)/\(missing)"))
    }

    @Test func `a set of two makings is made anew`() throws {
        #expect(try certs("--output", directory.path).status == 0)
        try LocalCertificateAuthority().write(to: directory.path, name: "root")
        #expect(try judgement("valid-p256", host: "localhost") == .noAnchor)
        #expect(try certs("--output", directory.path).status == 0)
        #expect(try judgement("valid-p256", host: "localhost") == nil)
    }

    @Test func `a set that ends within a day is made anew`() throws {
        #expect(try certs("--output", directory.path).status == 0)
        let authority = try LocalCertificateAuthority(
            certificate: certificates("root")[0],
            privateKey: PrivateKey(pem: directory.text(of: "root.key"))
        )
        try authority.issue(validity: .lasting(3600)).write(to: directory.path, name: "valid-p256")
        let ending = try certificates("valid-p256")
        #expect(try certs("--output", directory.path).status == 0)
        #expect(try certificates("valid-p256") != ending)
    }

    @Test(arguments: [
        [], ["--output"], ["--output", ""], ["--output", "x", "--fast"], ["--output", "x", "y"], ["--force"],
    ]) func `wrong usage is told and ends with 2`(arguments: [String]) throws {
        let run = try certs(arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains("usage: linchpin certs"))
        #expect(run.output.isEmpty)
    }

    @Test func `help is a result`() throws {
        let run = try certs("--help")
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("usage: linchpin certs"))
    }

    @Test func `a directory that cannot be made ends with 1`() throws {
        try directory.write("", to: "file")
        let run = try certs("--output", directory.path + "/file/certs")
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("file/certs"))
    }
}
