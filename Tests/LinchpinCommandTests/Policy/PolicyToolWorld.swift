import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

/// A directory with a root, a signing key and policies, for `linchpin policy`.
struct PolicyToolWorld {
    static let seven = "sha256/\(Data(repeating: 7, count: 32).base64EncodedString())"
    static let eight = "sha256/\(Data(repeating: 8, count: 32).base64EncodedString())"

    struct Answer {
        let ending: ChildProcess.Ending?
        let output: String

        /// What follows whatever was said to the person.
        func json() throws -> [String: Any] {
            let start = try #require(output.firstIndex(of: "{"))
            return try #require(try JSONSerialization.jsonObject(with: Data(output[start...].utf8)) as? [String: Any])
        }
    }

    let directory: TemporaryDirectory
    let root: LocalCertificateAuthority
    let key: PrivateKey

    init() throws {
        directory = try TemporaryDirectory()
        root = try LocalCertificateAuthority(name: "Root", validity: .lasting(400 * 86_400))
        key = try PrivateKey(.ed25519)
        try directory.write(root.certificate.pem, to: "root.pem")
        try directory.write(key.pem, to: "key.pem")
        try directory.write(Self.pem(key.publicKey), to: "key.pub")
    }

    static func pem(_ key: PublicKey) -> String {
        let text = key.der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n"
    }

    func path(_ name: String) -> String { directory.path(of: name) }

    func policy(_ arguments: [String]) async throws -> Answer {
        let process = try ChildProcess(BuiltProgram.linchpin, ["policy"] + arguments, in: TemporaryDirectory())
        try await eventually(within: 60) { process.ending != nil }
        return Answer(ending: process.ending, output: process.output)
    }

    /// A policy file with these entries.
    @discardableResult
    func write(hosts: [String: String], to name: String = "policy.json") throws -> String {
        let members = hosts.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        return try directory.write("{\"version\": 1, \"hosts\": {\(members.joined(separator: ", "))}}", to: name)
    }
}
