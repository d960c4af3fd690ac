internal import Foundation
internal import LinchpinTrust

/// `linchpin policy sign`: signs a policy file.
enum PolicySignCommand {
    static let usage = """
        usage: linchpin policy sign FILE --key FILE --version N --expires TIME [--password-file FILE] [--roots FILE]

        Prints the signed document, which programs take on that have the public half of the key.

          --key FILE            an Ed25519 private key in PEM, as `openssl genpkey -algorithm ed25519` makes it
          --version N           a number from 1, higher than that of every policy published before
          --expires TIME        until when the policy may be taken on, such as 2030-01-31T12:00:00Z
          --password-file FILE  the first line is what the key is encrypted with
          --roots FILE          certificates that stand for "roots": "given" while FILE is checked
          --help                show this

        Files that the policy names are not part of what is signed.

        Exit codes: 0 signed, 1 FILE is not a policy file or the key cannot sign, 2 wrong usage or a file that cannot be
        read.
        """

    private static let grammar = PolicyArguments.Grammar(
        valued: ["--key", "--version", "--expires", "--password-file", "--roots"]
    )

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) -> Int32 {
        let tool = PolicyTool(name: "sign", usage: usage)
        return tool.run(arguments, grammar) { arguments in
            do {
                try FileHandle.standardOutput.write(contentsOf: document(arguments))
                return 0
            } catch let error as TrustError where error.code != .unreadableFile {
                tool.tell(error.reason)
                return 1
            }
        }
    }

    private static func document(_ arguments: PolicyArguments) throws -> Data {
        let path = try arguments.operand("FILE")
        let key = try arguments.required("--key")
        let version = try arguments.required("--version")
        guard let number = Int(version), number >= 1 else {
            throw PolicyArguments.Malformed(reason: "--version \(version) is not a whole number from 1")
        }
        let time = try arguments.required("--expires")
        guard let expires = Date(rfc3339: time) else {
            throw PolicyArguments.Malformed(reason: "--expires \(time) is not a time such as 2030-01-31T12:00:00Z")
        }
        // A policy that no program would take on is not signed.
        _ = try ServerTrustManager(PolicyTool.file(path, roots: arguments.value("--roots")))
        let password = try arguments.value("--password-file").map { path in
            try PolicyTool.text(path).prefix { !$0.isNewline }
        }
        return try SignedPolicy.document(
            policy: FileBytes.read(path),
            version: number,
            expires: expires,
            privateKey: PolicyTool.text(key),
            password: password.map(String.init)
        )
    }
}
