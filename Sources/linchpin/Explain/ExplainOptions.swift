internal import LinchpinTrust

/// What the arguments of `linchpin explain` ask for.
struct ExplainOptions {
    let host: HostArgument
    let table: ExplainTable
    let isJSON: Bool

    /// Arguments that ask for nothing that can be done.
    struct Malformed: Error {
        let reason: String
    }

    /// Reads the arguments; nil when they ask for help.
    init?(_ arguments: [String]) throws(Malformed) {
        var (target, policy) = (nil as HostArgument?, nil as String?)
        var (entries, allowsOthers, isJSON) = ([:] as [String: [String]], false, false)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return nil
            case "--json": isJSON = true
            case "--allow-others": allowsOthers = true
            case "--policy":
                guard let file = rest.popFirst() else { throw Malformed(reason: "--policy needs a file") }
                guard policy == nil else { throw Malformed(reason: "--policy is given twice") }
                policy = file
            case "--entry": try Self.addEntry(rest.popFirst(), to: &entries)
            case let option where option.hasPrefix("-"): throw Malformed(reason: "unknown argument: \(option)")
            default:
                guard target == nil else { throw Malformed(reason: "one HOST at a time: \(argument)") }
                target = try Self.host(argument)
            }
        }
        guard let target else { throw Malformed(reason: "HOST is missing") }
        guard policy == nil || entries.isEmpty && !allowsOthers else {
            throw Malformed(reason: "with --policy the file says all; leave out --entry and --allow-others")
        }
        host = target
        table = policy.map(ExplainTable.policy) ?? .entries(entries, allowsOthers: allowsOthers)
        self.isJSON = isJSON
    }

    private static func addEntry(_ value: String?, to entries: inout [String: [String]]) throws(Malformed) {
        guard let value else { throw Malformed(reason: "--entry needs PATTERN[=PIN,...]") }
        // No pattern has an equals sign, and nearly every pin has.
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let pins = parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
        guard entries.updateValue(pins.map(String.init), forKey: parts[0]) == nil else {
            throw Malformed(reason: "--entry \(parts[0]) is given twice")
        }
    }

    private static func host(_ text: String) throws(Malformed) -> HostArgument {
        do {
            return try HostArgument(text)
        } catch {
            throw Malformed(reason: error.reason)
        }
    }
}
