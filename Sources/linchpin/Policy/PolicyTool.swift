internal import Foundation
internal import LinchpinTrust

/// What the subcommands have in common.
struct PolicyTool {
    /// The subcommand.
    let name: String
    let usage: String
    /// The exit code for wrong usage and for files that cannot be read.
    var trouble: Int32 = 2

    /// Runs a subcommand with its arguments, of which the wrong ones and `--help` are answered here.
    func run(
        _ arguments: [String],
        _ grammar: PolicyArguments.Grammar,
        _ body: (PolicyArguments) throws -> Int32
    ) -> Int32 {
        do {
            let arguments = try PolicyArguments(arguments, grammar)
            guard !arguments.wantsHelp else {
                print(usage)
                return 0
            }
            return try body(arguments)
        } catch {
            return answer(error)
        }
    }

    /// Tells of a mistake and returns the exit code.
    func answer(_ error: any Error) -> Int32 {
        switch error {
        case let error as PolicyArguments.Malformed: tell("\(error.reason)\n\n\(usage)")
        case let error as TrustError: tell(error.reason)
        default: tell("\(error)")
        }
        return trouble
    }

    /// Says something to whoever sits there.
    func tell(_ words: String) {
        FileHandle.standardError.write(Data("linchpin policy \(name): \(words)\n".utf8))
    }

    /// A file of text.
    static func text(_ path: String) throws(TrustError) -> String {
        String(decoding: try FileBytes.read(path, atMost: 1 << 20), as: UTF8.self)
    }

    /// A policy file, read as somebody does who judges no server and has no keys.
    static func file(_ path: String, roots: String?) throws(TrustError) -> PolicyFile {
        try PolicyFile(contentsOfFile: path, given: givens(roots: roots))
    }

    /// What stands for what a program would hand over.
    static func givens(roots path: String?) throws(TrustError) -> PolicyGivens {
        var roots: TrustRoots?
        if let path { roots = .certificates(try Certificate.certificates(contentsOfFile: path)) }
        let anybody = PinFailureHandler(queue: .global()) { _ in }
        var givens = PolicyGivens(roots: roots, pinFailureHandler: anybody)
        givens.leavesOutClientIdentities = true
        return givens
    }
}
