internal import Foundation
internal import LinchpinTrust

/// `linchpin policy verify`: takes signed policies on, as a program does, or says why not.
enum PolicyVerifyCommand {
    static let usage = """
        usage: linchpin policy verify --key FILE DOCUMENT... [--store FILE] [--files DIRECTORY] [--roots FILE]

        Says whether a program that has the key would take on the signed policies, one after the other.

          --key FILE         an Ed25519 public key in PEM, as `openssl pkey -pubout` writes it
          --store FILE       where the last policy is kept, as a program keeps it; without it nothing is, and older
                             policies than that of the DOCUMENT before are refused all the same
          --files DIRECTORY  where the files are that a policy names, which are not signed; without it none may be named
          --roots FILE       certificates that stand for "roots": "given"
          --help             show this

        Exit codes: 0 all are taken on, 1 one is not and those after it are not looked at, 2 wrong usage or a file that
        cannot be read.
        """

    private static let grammar = PolicyArguments.Grammar(valued: ["--key", "--store", "--files", "--roots"])

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) -> Int32 {
        let tool = PolicyTool(name: "verify", usage: usage)
        return tool.run(arguments, grammar) { arguments in
            let key = try PublicKey(pem: PolicyTool.text(arguments.required("--key")))
            guard !arguments.operands.isEmpty else { throw PolicyArguments.Malformed(reason: "DOCUMENT is missing") }
            var directory: URL?
            defer { if let directory { try? FileManager.default.removeItem(at: directory) } }
            let path: String
            if let given = arguments.value("--store") {
                path = given
            } else {
                let made = FileManager.default.temporaryDirectory.appendingPathComponent(
                    "linchpin-\(UUID().uuidString)"
                )
                try FileManager.default.createDirectory(at: made, withIntermediateDirectories: false)
                directory = made
                path = made.appendingPathComponent("policy.json").path
            }
            let givens = try PolicyTool.givens(roots: arguments.value("--roots"))
            let store = SignedPolicyStore(path: path, key: key)
            for name in arguments.operands {
                let document = try FileBytes.read(name, atMost: mostBytes)
                do {
                    let policy = try store.take(document, directory: arguments.value("--files"), given: givens)
                    print("\(name): version \(policy.version), to be taken on until \(policy.expires.rfc3339)")
                } catch let error as TrustError where ![.unreadableFile, .unwritableFile].contains(error.code) {
                    tool.tell("\(name): \(error.code.rawValue): \(error.reason)")
                    return 1
                }
            }
            return 0
        }
    }

    private static let mostBytes = 1 << 22
}
