internal import Foundation
internal import Linchpin

/// `linchpin policy audit`: connects to every host of a policy and reports what it finds.
enum PolicyAuditCommand {
    static let usage = """
        usage: linchpin policy audit FILE [--host HOST[:PORT]]... [--resolve HOST:PORT:ADDRESS]... [--roots FILE]
                                     [--warn-days N] [--json | --html]

        Connects to every host that FILE names, judges it as a program does, and reports its chain, the pin that matched,
        when certificates and pins expire, whether a pin is left for the day the chain changes, revocation and transparency.
        A host without a port is asked on 443, and is sent one HEAD request.

          --host HOST[:PORT]           a host to ask too: wildcards name none themselves; may be repeated
          --resolve HOST:PORT:ADDRESS  the address of a host, in place of what the system says; may be repeated
          --roots FILE                 certificates that stand for "roots": "given"
          --warn-days N                how many days before the end of a certificate or of pins is soon, 30 by default
          --json                       print JSON
          --html                       print a page that needs nothing else
          --help                       show this

        Client identities are not shown. A pin counts as a backup if its key is in no certificate that the server sent or
        that the chain has: whether it is kept off-line cannot be seen from here.

        Exit codes: 0 all well, 1 a host was refused, could not be reached or has none of its pins, 2 nothing of that, and
        something expires within N days or has expired, 3 wrong usage or a file that cannot be read or is no policy.
        Wildcards without a host are reported and change nothing.
        """

    private static let grammar = PolicyArguments.Grammar(
        flags: ["--json", "--html"],
        valued: ["--roots", "--warn-days"],
        repeated: ["--host", "--resolve"]
    )

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        let tool = PolicyTool(name: "audit", usage: usage, trouble: 3)
        do {
            let arguments = try PolicyArguments(arguments, grammar)
            guard !arguments.wantsHelp else {
                print(usage)
                return 0
            }
            let report = try await AuditPlan(arguments).report()
            switch (arguments.has("--json"), arguments.has("--html")) {
            case (true, _): print(try report.json())
            case (_, true): print(AuditPage(report: report).text)
            default: print(AuditTable(report: report).text)
            }
            return report.status.exitCode
        } catch {
            return tool.answer(error)
        }
    }
}
