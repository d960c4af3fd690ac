internal import Foundation
internal import LinchpinTrust

/// `linchpin explain`: says which entry of a host table applies to a host, and why. No connection is made.
///
/// Exit codes: 0 the host is judged by an entry or by the system's roots, 1 it is refused, 2 wrong usage or a policy
/// file that cannot be read or is not one.
enum ExplainCommand {
    static let usage = """
        usage: linchpin explain HOST[:PORT] [--entry PATTERN[=PIN[,PIN]...]]... [--allow-others] [--json]
               linchpin explain HOST[:PORT] --policy FILE [--json]

        Says which of the entries applies to HOST, and why the others do not. The most specific one does: a host with a
        port, a host, the wildcard with the longest name. *.NAME is for exactly one label more, **.NAME for any number
        and for NAME itself.

          --entry PATTERN[=PIN,...]  an entry: pinned keys, or without pins the usual validation; may be repeated
          --allow-others             leave hosts without an entry to the system's roots, instead of refusing them
          --policy FILE              takes the entries of a policy file; --help shows what it holds
          --json                     print JSON
          --help                     show this

        PIN is sha256/BASE64, sha256//BASE64, pin-sha256="BASE64" or 64 hexadecimal digits. A single pin is taken here
        without a backup.

        Exit codes: 0 an entry or the system's roots judge the host, 1 the host is refused, 2 wrong usage or a
        policy file that cannot be read or is not one.
        """

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) -> Int32 {
        do throws(ExplainOptions.Malformed) {
            guard let options = try ExplainOptions(arguments) else {
                print("\(usage)\n\n\(PolicyUsage.text)")
                return 0
            }
            return explain(options)
        } catch {
            return fail("\(error.reason)\n\n\(usage)")
        }
    }

    private static func explain(_ options: ExplainOptions) -> Int32 {
        do {
            let manager = try options.table.manager()
            let explanation = try manager.policy(for: options.host.identity.description, port: options.host.port)
            print(options.isJSON ? try ExplainReport.json(explanation) : explanation.description)
            return explanation.outcome == .refused ? 1 : 0
        } catch {
            let why = (error as? TrustError)?.reason ?? "\(error)"
            // Nobody who has a mistake in a file wants to read about arguments.
            guard case .entries = options.table else { return fail(why) }
            return fail("\(why)\n\n\(usage)")
        }
    }

    private static func fail(_ words: String) -> Int32 {
        FileHandle.standardError.write(Data("linchpin explain: \(words)\n".utf8))
        return 2
    }
}
