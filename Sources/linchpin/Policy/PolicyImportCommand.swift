internal import Foundation
internal import LinchpinPolicyImport
internal import LinchpinTrust

/// `linchpin policy import`: makes a policy file of what mobile apps have.
enum PolicyImportCommand {
    static let usage = """
        usage: linchpin policy import --trustkit FILE [--leave-out FIELD]...
               linchpin policy import --android FILE [--raw DIRECTORY] [--leave-out FIELD]...

        Prints the policy file that says what FILE says. What a policy cannot say is an error with its place, unless it is
        left out.

          --trustkit FILE    a property list with a TrustKit configuration, or an Info.plist with one
          --android FILE     an Android network security configuration
          --raw DIRECTORY    where the files are that @raw/NAME stands for
          --leave-out FIELD  a key, element or attribute that may be left out, as the error names it; may be repeated
          --help             show this

        Exit codes: 0 the policy says all but what was to be left out, 1 it cannot, 2 wrong usage or a file that cannot be
        read.
        """

    private static let grammar = PolicyArguments.Grammar(
        valued: ["--trustkit", "--android", "--raw"],
        repeated: ["--leave-out"]
    )

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) -> Int32 {
        let tool = PolicyTool(name: "import", usage: usage)
        return tool.run(arguments, grammar) { arguments in
            do {
                let policy = try policy(arguments)
                for finding in policy.leftOut { tool.tell("left out: \(finding.place): \(finding.reason)") }
                try FileHandle.standardOutput.write(contentsOf: policy.document)
                return 0
            } catch let error as PolicyImportError {
                for finding in error.findings { tool.tell("\(finding)") }
                return 1
            }
        }
    }

    private static func policy(_ arguments: PolicyArguments) throws -> ImportedPolicy {
        if let operand = arguments.operands.first {
            throw PolicyArguments.Malformed(reason: "unknown argument: \(operand)")
        }
        let fields = Set(arguments.values("--leave-out"))
        switch (arguments.value("--trustkit"), arguments.value("--android")) {
        case (let path?, nil):
            guard arguments.value("--raw") == nil else {
                throw PolicyArguments.Malformed(reason: "--raw goes with --android")
            }
            return try ImportedPolicy(trustKit: FileBytes.read(path, atMost: mostBytes), leavingOut: fields)
        case (nil, let path?):
            return try ImportedPolicy(
                androidNetworkSecurityConfig: FileBytes.read(path, atMost: mostBytes),
                rawResources: arguments.value("--raw").map(resources) ?? [:],
                leavingOut: fields
            )
        default: throw PolicyArguments.Malformed(reason: "either --trustkit or --android is needed")
        }
    }

    private static let mostBytes = 1 << 21

    /// The files of a directory by their names without what follows the point, as Android names resources.
    private static func resources(_ directory: String) throws -> [String: String] {
        let root = URL(fileURLWithPath: directory)
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory).sorted() {
            let resource = String(name.prefix { $0 != "." })
            guard !resource.isEmpty else { continue }
            // Of several files for one name nobody can say which is meant: Android builds nothing of them.
            let path = files[resource] == nil ? root.appendingPathComponent(name).path : ""
            files[resource] = path
        }
        return files.filter { !$0.value.isEmpty }
    }
}
