internal import Foundation
internal import LinchpinTrust

/// `linchpin evaluate`: says off-line whether a server's chain is trusted, as a handshake would.
///
/// Exit codes: 0 trusted, 1 refused (a certificate or a host that cannot be read included), 2 wrong usage or a file that
/// cannot be read, or a policy file that is not one.
enum EvaluateCommand {
    static let usage = """
        usage: linchpin evaluate --roots FILE --chain FILE --host NAME [--time TIME] [--profile PROFILE]
               linchpin evaluate --policy FILE [--roots FILE] --chain FILE --host NAME[:PORT] [--time TIME]
               linchpin evaluate --batch [--profile PROFILE]

        Says whether a server's chain is trusted for a host, by the same code as a TLS handshake. Nothing is fetched.

          --roots FILE       the trust anchors, PEM or DER; with --policy, what "roots": "given" stands for
          --policy FILE      judges by the entry that a policy file has for the host; --help shows what it holds
          --chain FILE       what the server sends, PEM: its own certificate first, the rest in any order
          --host NAME        a DNS name as A-labels, or an IP address; with --policy and a port, 443 if left out
          --time TIME        the time to judge by, such as 2030-01-31T12:00:00Z; now if left out
          --profile PROFILE  web-pki (the default) or private-pki
          --batch            reads questions from standard input, one JSON object a line, and answers each at once:
                             {"id","roots":[PEM],"chain":[PEM],"host","kind":"dns"|"ip","time"}
                             {"id","trusted":true|false,"error":TEXT|null}
          --help             show this

        Standard error says why a chain is refused.
        Exit codes: 0 trusted, 1 refused, which a host without an entry is too, 2 wrong usage or a file that cannot be read,
        or a policy file that is not one; with --batch, 0 at the end of input.
        """

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) -> Int32 {
        do throws(EvaluateOptions.Malformed) {
            switch try EvaluateOptions.request(arguments) {
            case .help:
                print("\(usage)\n\n\(PolicyUsage.text)")
                return 0
            case .batch(let profile): return EvaluateBatch(profile: profile).run()
            case .single(let options): return evaluate(options)
            }
        } catch {
            tell("\(error.reason)\n\n\(usage)")
            return 2
        }
    }

    private static func evaluate(_ options: EvaluateOptions) -> Int32 {
        do throws(TrustError) {
            let evaluation = try options.judge.evaluation(options)
            if let refusal = evaluation.refusal() { throw refusal }
            print("trusted: \(evaluation.host)")
            if let pattern = evaluation.policy.pattern { tell("judged by the entry \"\(pattern)\"") }
            if !evaluation.policy.isExplicit { tell("judged by the system's roots, since no entry matches") }
            return 0
        } catch {
            tell("\(error)")
            return [.unreadableFile, .malformedPolicy].contains(error.code) ? 2 : 1
        }
    }

    private static func tell(_ words: String) {
        FileHandle.standardError.write(Data("linchpin evaluate: \(words)\n".utf8))
    }
}
