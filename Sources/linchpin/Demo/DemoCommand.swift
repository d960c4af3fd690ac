internal import Foundation
internal import Linchpin

/// `linchpin demo`: sends requests with a token to servers on this machine, and shows which servers are refused.
///
/// Exit codes: 0 when every row is what it should be, 1 when one is not, 2 for wrong usage.
enum DemoCommand {
    static let usage = """
        usage: linchpin demo [--json] [--pin PIN]

        Makes a certificate authority in memory, starts servers on the loopback interface and sends each of them a
        request with a token. Servers that should be refused must not see a byte of it.

          --json     an object with `rows` instead of a table
          --pin PIN  expect this pin (sha256/…) where the servers' own should be expected; the rows fail then
          --help     show this

        Exit codes: 0 every row is what it should be, 1 one is not, 2 wrong usage.
        """

    private enum Request {
        case help
        case run(isJSON: Bool, pin: String?)
        case wrong(String)
    }

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        switch parse(arguments) {
        case .help:
            print(usage)
            return 0
        case .wrong(let why):
            tell("\(why)\n\n\(usage)")
            return 2
        case .run(let isJSON, let pin):
            do {
                let rows = await DemoScenario.run(in: try DemoWorld(pin: pin))
                print(isJSON ? try DemoReport.json(rows) : DemoReport.table(rows))
                return rows.allSatisfy(\.isAsExpected) ? 0 : 1
            } catch {
                tell("the demo cannot run: \(error)")
                return 1
            }
        }
    }

    private static func parse(_ arguments: [String]) -> Request {
        var (isJSON, pin) = (false, nil as String?)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return .help
            case "--json": isJSON = true
            case "--pin":
                guard let value = rest.popFirst() else { return .wrong("--pin needs a pin") }
                do {
                    pin = try PublicKeyPin(value).description
                } catch {
                    return .wrong(error.reason)
                }
            default: return .wrong("unknown argument: \(argument)")
            }
        }
        return .run(isJSON: isJSON, pin: pin)
    }

    private static func tell(_ text: String) {
        FileHandle.standardError.write(Data("linchpin demo: \(text)\n".utf8))
    }
}
