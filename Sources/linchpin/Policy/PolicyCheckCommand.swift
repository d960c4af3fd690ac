internal import Foundation
internal import LinchpinTrust

/// `linchpin policy check`: whether a policy file is one, and what it means for each host. No connection is made.
enum PolicyCheckCommand {
    static let usage = """
        usage: linchpin policy check FILE [--roots FILE] [--json]

        Says whether FILE is a policy file, and what each of its entries checks.

          --roots FILE  certificates that stand for "roots": "given"
          --json        print JSON
          --help        show this

        Exit codes: 0 it is one, 1 it is not, with the place of the mistake, 2 wrong usage or a file that cannot be read.
        """

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) -> Int32 {
        let tool = PolicyTool(name: "check", usage: usage)
        return tool.run(arguments, .init(flags: ["--json"], valued: ["--roots"])) { arguments in
            let path = try arguments.operand("FILE")
            do {
                let file = try PolicyTool.file(path, roots: arguments.value("--roots"))
                // Mistakes that only the table as a whole has.
                _ = try ServerTrustManager(file)
                let report = PolicyCheckReport(file, now: Date())
                print(arguments.has("--json") ? try report.json() : report.text(path))
                return 0
            } catch let error as TrustError where error.code == .malformedPolicy {
                tool.tell(error.reason)
                return 1
            }
        }
    }
}
