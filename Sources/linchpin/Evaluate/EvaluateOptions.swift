internal import Foundation
internal import LinchpinTrust

/// What the arguments of `linchpin evaluate` ask for.
struct EvaluateOptions {
    let judge: EvaluateJudge
    let chain: String
    let host: String
    let date: Date

    enum Request {
        case help
        case batch(ValidationProfile)
        case single(EvaluateOptions)
    }

    /// Arguments that ask for nothing that can be done.
    struct Malformed: Error {
        let reason: String
    }

    private static let valued: Set<String> = ["--roots", "--policy", "--chain", "--host", "--time", "--profile"]

    static func request(_ arguments: [String]) throws(Malformed) -> Request {
        var values: [String: String] = [:]
        var isBatch = false
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return .help
            case "--batch": isBatch = true
            case _ where valued.contains(argument):
                guard let value = rest.popFirst() else { throw Malformed(reason: "\(argument) needs a value") }
                guard values.updateValue(value, forKey: argument) == nil else {
                    throw Malformed(reason: "\(argument) is given twice")
                }
            default: throw Malformed(reason: "unknown argument: \(argument)")
            }
        }
        guard isBatch else { return .single(try single(values)) }
        guard values.keys.allSatisfy({ $0 == "--profile" }) else {
            throw Malformed(reason: "with --batch the questions come from standard input")
        }
        return .batch(try profile(values["--profile"]))
    }

    private static func single(_ values: [String: String]) throws(Malformed) -> EvaluateOptions {
        let judge = try judge(values)
        guard let judge, let chain = values["--chain"], let host = values["--host"] else {
            throw Malformed(reason: "--roots or --policy, --chain and --host are needed, or --batch")
        }
        var date = Date()
        if let time = values["--time"] {
            guard let given = Date(rfc3339: time) else {
                throw Malformed(reason: "--time \(time) is not a time such as 2030-01-31T12:00:00Z")
            }
            date = given
        }
        return EvaluateOptions(judge: judge, chain: chain, host: host, date: date)
    }

    private static func judge(_ values: [String: String]) throws(Malformed) -> EvaluateJudge? {
        guard let policy = values["--policy"] else {
            let profile = try profile(values["--profile"])
            return values["--roots"].map { .roots($0, profile) }
        }
        guard values["--profile"] == nil else {
            throw Malformed(reason: "with --policy the profile is the entry's; leave out --profile")
        }
        return .policy(policy, givenRoots: values["--roots"])
    }

    private static func profile(_ name: String?) throws(Malformed) -> ValidationProfile {
        switch name {
        case nil, "web-pki": return .webPKI
        case "private-pki": return .privatePKI
        case let name?: throw Malformed(reason: "--profile \(name) is neither web-pki nor private-pki")
        }
    }
}
