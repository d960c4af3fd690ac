internal import Foundation
internal import LinchpinTrust

/// `linchpin explain`: says which entry of a host table applies to a host, and why. No connection is made.
///
/// Exit codes: 0 the host is judged by an entry or by the system's roots, 1 it is refused, 2 wrong usage.
enum ExplainCommand {
    static let usage = """
        usage: linchpin explain HOST[:PORT] [--entry PATTERN[=PIN[,PIN]...]]... [--allow-others] [--json]

        Says which of the entries applies to HOST, and why the others do not. The most specific one does: a host with a
        port, a host, the wildcard with the longest name. *.NAME is for exactly one label more, **.NAME for any number
        and for NAME itself.

          --entry PATTERN[=PIN,...]  an entry: pinned keys, or without pins the usual validation; may be repeated
          --allow-others             leave hosts without an entry to the system's roots, instead of refusing them
          --json                     print JSON
          --help                     show this

        PIN is sha256/BASE64, sha256//BASE64, pin-sha256="BASE64" or 64 hexadecimal digits. A single pin is taken here
        without a backup.

        Exit codes: 0 an entry or the system's roots judge the host, 1 the host is refused, 2 wrong usage.
        """

    /// What the arguments ask for.
    private enum Request {
        case help
        case explain(target: HostPattern, entries: [String: [String]], allowsOthers: Bool, isJSON: Bool)
        case wrong(String)
    }

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) -> Int32 {
        switch parse(arguments) {
        case .help:
            print(usage)
            return 0
        case .wrong(let why): return fail(why)
        case .explain(let target, let entries, let allowsOthers, let isJSON):
            do {
                let manager = try ServerTrustManager(
                    allHostsMustBeEvaluated: !allowsOthers,
                    evaluators: Dictionary(uniqueKeysWithValues: entries.map { ($0, try evaluator($0, $1)) })
                )
                let explanation = try manager.policy(for: target.name, port: target.port)
                print(isJSON ? try ExplainReport.json(explanation) : explanation.description)
                return explanation.outcome == .refused ? 1 : 0
            } catch {
                return fail((error as? TrustError)?.reason ?? "\(error)")
            }
        }
    }

    private static func evaluator(_ pattern: String, _ pins: [String]) throws -> any ServerTrustEvaluating {
        guard !pins.isEmpty else { return DefaultTrustEvaluator() }
        do {
            return try PublicKeyPinsTrustEvaluator(pins: pins, requiresBackupPin: false)
        } catch {
            throw error.at("the entry \"\(pattern)\"")
        }
    }

    private static func parse(_ arguments: [String]) -> Request {
        var (target, entries) = (nil as HostPattern?, [:] as [String: [String]])
        var (allowsOthers, isJSON) = (false, false)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return .help
            case "--json": isJSON = true
            case "--allow-others": allowsOthers = true
            case "--entry":
                guard let value = rest.popFirst() else { return .wrong("--entry needs PATTERN[=PIN,...]") }
                // No pattern has an equals sign, and nearly every pin has.
                let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let pins = parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
                guard entries.updateValue(pins.map(String.init), forKey: parts[0]) == nil else {
                    return .wrong("--entry \(parts[0]) is given twice")
                }
            case let option where option.hasPrefix("-"): return .wrong("unknown argument: \(option)")
            default:
                guard target == nil else { return .wrong("one HOST at a time: \(argument)") }
                do throws(TrustError) {
                    target = try host(argument)
                } catch {
                    return .wrong(error.reason)
                }
            }
        }
        guard let target else { return .wrong("HOST is missing") }
        return .explain(target: target, entries: entries, allowsOthers: allowsOthers, isJSON: isJSON)
    }

    private static func host(_ text: String) throws(TrustError) -> HostPattern {
        let pattern = try HostPattern(text)
        guard case .exact = pattern.hosts else {
            throw TrustError(.malformedHost, reason: "\"\(text)\" is a pattern where a host is wanted")
        }
        return pattern
    }

    private static func fail(_ why: String) -> Int32 {
        FileHandle.standardError.write(Data("linchpin explain: \(why)\n\n\(usage)\n".utf8))
        return 2
    }
}
