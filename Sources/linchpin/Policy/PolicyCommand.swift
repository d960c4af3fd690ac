internal import Foundation

/// `linchpin policy`: policy files from their import to their audit.
enum PolicyCommand {
    static let usage = """
        usage: linchpin policy check FILE [OPTION]...
               linchpin policy import --trustkit FILE | --android FILE [OPTION]...
               linchpin policy sign FILE --key FILE --version N --expires TIME [OPTION]...
               linchpin policy verify --key FILE DOCUMENT... [OPTION]...
               linchpin policy audit FILE [OPTION]...

          check   says whether a policy file is one, and what it means for each host
          import  makes a policy of a TrustKit or Android configuration
          sign    signs a policy, for programs that take on new ones while they run
          verify  says whether signed policies are taken on
          audit   connects to every host of a policy and reports what it finds

        `linchpin policy COMMAND --help` says more. Exit code 2: wrong usage.
        """

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "check": return PolicyCheckCommand.run(rest)
        case "import": return PolicyImportCommand.run(rest)
        case "sign": return PolicySignCommand.run(rest)
        case "verify": return PolicyVerifyCommand.run(rest)
        case "audit": return await PolicyAuditCommand.run(rest)
        case "--help", "-h", "help":
            print(usage)
            return 0
        default:
            if let command = arguments.first {
                FileHandle.standardError.write(Data("linchpin policy: unknown command: \(command)\n\n".utf8))
            }
            FileHandle.standardError.write(Data("\(usage)\n".utf8))
            return 2
        }
    }
}
