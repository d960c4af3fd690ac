/// The arguments of a subcommand, told apart.
struct PolicyArguments {
    /// Arguments that ask for nothing that can be done.
    struct Malformed: Error {
        let reason: String
    }

    /// What a subcommand takes.
    struct Grammar {
        var flags: Set<String> = []
        /// Options that are given once, with a value.
        var valued: Set<String> = []
        /// Options that may be given again.
        var repeated: Set<String> = []
    }

    private(set) var wantsHelp = false
    private(set) var operands: [String] = []
    private var flags: Set<String> = []
    private var values: [String: [String]] = [:]

    init(_ arguments: [String], _ grammar: Grammar) throws(Malformed) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case _ where grammar.flags.contains(argument): flags.insert(argument)
            case _ where grammar.valued.union(grammar.repeated).contains(argument):
                guard let value = rest.popFirst() else { throw Malformed(reason: "\(argument) needs a value") }
                guard grammar.repeated.contains(argument) || values[argument] == nil else {
                    throw Malformed(reason: "\(argument) is given twice")
                }
                values[argument, default: []].append(value)
            case _ where argument.hasPrefix("-"): throw Malformed(reason: "unknown argument: \(argument)")
            default: operands.append(argument)
            }
        }
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    func value(_ option: String) -> String? { values[option]?.first }

    func values(_ option: String) -> [String] { values[option] ?? [] }

    func required(_ option: String) throws(Malformed) -> String {
        guard let value = value(option) else { throw Malformed(reason: "\(option) is missing") }
        return value
    }

    /// The one operand.
    func operand(_ name: String) throws(Malformed) -> String {
        guard let operand = operands.first else { throw Malformed(reason: "\(name) is missing") }
        guard operands.count == 1 else { throw Malformed(reason: "one \(name) at a time: \(operands[1])") }
        return operand
    }
}
