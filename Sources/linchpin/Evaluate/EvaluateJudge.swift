internal import LinchpinTrust

/// Whose judgement is asked for.
enum EvaluateJudge {
    /// The certificates of a file, and the host's name.
    case roots(String, ValidationProfile)
    /// The entry that a policy file has for the host.
    case policy(String, givenRoots: String?)

    /// The port of a host that is given without one: that of https.
    private static let defaultPort = 443

    /// What is asked, with everything that was named read before anything is refused.
    func evaluation(_ options: EvaluateOptions) throws(TrustError) -> Evaluation {
        switch self {
        case .roots(let file, let profile):
            return Evaluation(
                policy: Evaluation.policy(roots: try Certificate.certificates(contentsOfFile: file), profile: profile),
                chain: try Certificate.certificates(contentsOfFile: options.chain),
                host: try Evaluation.host(options.host),
                date: options.date
            )
        case .policy(let file, let givenRoots):
            let manager = try Self.manager(file, givenRoots)
            let chain = try Certificate.certificates(contentsOfFile: options.chain)
            try Evaluation.refuseOtherThanASCII(options.host)
            let host = try HostArgument(options.host)
            let policy = try manager.policy(for: host.identity, port: host.port ?? Self.defaultPort)
            return Evaluation(policy: policy, chain: chain, host: host.identity, date: options.date)
        }
    }

    private static func manager(_ path: String, _ rootsPath: String?) throws(TrustError) -> ServerTrustManager {
        let file = try PolicyTool.file(path, roots: rootsPath)
        guard rootsPath == nil || file.usesGivenRoots else {
            throw TrustError(
                .malformedPolicy,
                reason: "\(path): no entry has \"roots\": \"given\", so that --roots would not count; leave it out"
            )
        }
        return try ServerTrustManager(file)
    }
}
