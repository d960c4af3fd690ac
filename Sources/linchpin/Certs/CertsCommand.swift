internal import Foundation
internal import LinchpinTesting

/// `linchpin certs`: fills a directory with certificates for servers on this machine, good ones and bad ones.
///
/// Standard output has a line for each certificate: its path, a tab and the pin of its key. Exit codes: 0 for a complete
/// set, 1 when files could not be written, 2 for wrong usage.
enum CertsCommand {
    static let usage = """
        usage: linchpin certs --output DIR [--force]

        Fills DIR with a root, an intermediate and certificates for localhost, 127.0.0.1 and ::1, valid and not, each
        as NAME.pem (the chain) and NAME.key (mode 0600). A complete set that is valid for another day is kept.

          --output DIR  where the files go; made if need be
          --force       make new ones in any case
          --help        show this

        Standard output: the path of every certificate, a tab, the pin of its key.
        Exit codes: 0 the set is complete, 1 it could not be written, 2 wrong usage.
        """

    /// What the arguments ask for.
    private enum Request {
        case help
        case make(directory: String, isForced: Bool)
        case wrong(String)
    }

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) -> Int32 {
        switch parse(arguments) {
        case .help:
            print(usage)
            return 0
        case .wrong(let why):
            tell("\(why)\n\n\(usage)")
            return 2
        case .make(let directory, let isForced):
            return make(directory, isForced)
        }
    }

    private static func parse(_ arguments: [String]) -> Request {
        var (directory, isForced) = ("", false)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return .help
            case "--force": isForced = true
            case "--output":
                guard let value = rest.popFirst(), !value.isEmpty else { return .wrong("--output needs a directory") }
                directory = value
            default: return .wrong("unknown argument: \(argument)")
            }
        }
        return directory.isEmpty ? .wrong("--output is missing") : .make(directory: directory, isForced: isForced)
    }

    private static func make(_ directory: String, _ isForced: Bool) -> Int32 {
        let set = CertificateSet(directory: directory, now: Date())
        do {
            if let cause = isForced ? "--force was given" : set.defect() {
                tell("making a new set: \(cause)")
                try set.make()
            } else {
                tell("\(directory) has a complete set, which is kept; --force makes a new one")
                try set.protectKeys()
            }
            for (path, pin) in try set.contents() { print("\(path)\t\(pin)") }
            return 0
        } catch {
            tell("\(error)")
            return 1
        }
    }

    private static func tell(_ words: String) {
        FileHandle.standardError.write(Data("linchpin certs: \(words)\n".utf8))
    }
}
