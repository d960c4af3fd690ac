internal import Foundation
internal import LinchpinTrust

/// `linchpin evaluate`: says off-line whether a server's chain is trusted, as a handshake would.
///
/// Exit codes: 0 trusted, 1 refused (a certificate or a host that cannot be read included), 2 wrong usage or a file that
/// cannot be read.
enum EvaluateCommand {
    static let usage = """
        usage: linchpin evaluate --roots FILE --chain FILE --host NAME [--time TIME] [--profile PROFILE]
               linchpin evaluate --batch [--profile PROFILE]

        Says whether a server's chain is trusted for a host, by the same code as a TLS handshake. Nothing is fetched.

          --roots FILE       the trust anchors, PEM or DER
          --chain FILE       what the server sends, PEM: its own certificate first, the rest in any order
          --host NAME        a DNS name as A-labels, or an IP address
          --time TIME        the time to judge by, such as 2030-01-31T12:00:00Z; now if left out
          --profile PROFILE  web-pki (the default) or private-pki
          --batch            reads questions from standard input, one JSON object a line, and answers each at once:
                             {"id","roots":[PEM],"chain":[PEM],"host","kind":"dns"|"ip","time"}
                             {"id","trusted":true|false,"error":TEXT|null}
          --help             show this

        Standard error says why a chain is refused.
        Exit codes: 0 trusted, 1 refused, 2 wrong usage or a file that cannot be read; with --batch, 0 at the end of input.
        """

    /// Runs the command and returns its exit code.
    static func run(_ arguments: [String]) -> Int32 {
        do throws(EvaluateOptions.Malformed) {
            switch try EvaluateOptions.request(arguments) {
            case .help:
                print(usage)
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
            let evaluation = Evaluation(
                roots: try Certificate.certificates(contentsOfFile: options.roots),
                chain: try Certificate.certificates(contentsOfFile: options.chain),
                host: try Evaluation.host(options.host),
                date: options.date,
                profile: options.profile
            )
            if let refusal = evaluation.refusal() { throw refusal }
            print("trusted: \(evaluation.host)")
            return 0
        } catch {
            tell("\(error)")
            return error.code == .unreadableFile ? 2 : 1
        }
    }

    private static func tell(_ words: String) {
        FileHandle.standardError.write(Data("linchpin evaluate: \(words)\n".utf8))
    }
}
