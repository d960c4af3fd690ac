/// Accepts a server none of whose certificates was revoked, with Alamofire's names and defaults.
///
/// Every certificate of the validated chain but the anchor is looked at, by what is at hand: the OCSP response that the
/// server stapled, lists that the caller gave, and what was fetched before and still counts. What is missing is fetched
/// by the session, off its event loop, from the places that the certificates name; the handshake is then made again.
///
/// - A certificate that was revoked, or that its issuer's responder does not know, is refused.
/// - A stapled response that cannot be relied upon is refused: it is signed by somebody else, about another
///   certificate, or too old. What was fetched and cannot be relied upon counts as no answer.
/// - A list of changes (RFC 5280 §5.2.4), and what is signed over SHA-1 or weaker, may say that a certificate was revoked,
///   and not that it was not.
/// - Without ``Options/requirePositiveResponse`` a certificate about which nobody can be asked passes, and the decision has
///   the notice ``TrustDecision/Notice/revocationUnchecked``: whoever can keep the client from the responder can use a
///   revoked certificate.
/// - A server whose certificate promises a stapled response (RFC 7633) is refused without one, whatever the options.
///
/// A connection does not outlive what was said about its certificates: it closes at the nextUpdate.
public final class RevocationTrustEvaluator: ServerTrustEvaluating {
    /// How revocation is looked at.
    public struct Options: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public let rawValue: UInt

        /// Wraps bits; use the static members.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// By the responses of OCSP responders (RFC 6960), stapled or fetched.
        public static let ocsp = Options(rawValue: 1 << 0)
        /// By lists of revoked certificates (RFC 5280 §5), given or fetched.
        public static let crl = Options(rawValue: 1 << 1)
        /// Lists are fetched first where there are both; otherwise OCSP comes first.
        public static let preferCRL = Options(rawValue: 1 << 2)
        /// A certificate passes only if it is known not to be revoked.
        public static let requirePositiveResponse = Options(rawValue: 1 << 3)
        /// Nothing is fetched.
        public static let networkAccessDisabled = Options(rawValue: 1 << 4)
        /// By OCSP and by lists.
        public static let any: Options = [.ocsp, .crl]
    }

    /// Whether the host's name has to be in the certificate.
    public let validatesHost: Bool
    private let performDefaultValidation: Bool
    private let options: Options
    private let lists: [CertificateRevocationList]
    private let cache: RevocationCache
    private let roots: TrustRoots
    private let profile: ValidationProfile

    /// Makes the evaluator.
    ///
    /// - Parameters:
    ///   - performDefaultValidation: whether a chain is validated here, true by default. When false the chain counts that
    ///     an evaluator before this one validated, as in a ``CompositeTrustEvaluator``; where none did, one is validated
    ///     all the same, since only a certificate's issuer can revoke it.
    ///   - validateHost: whether the host's name has to be in the certificate, true by default.
    ///   - options: how revocation is looked at, by OCSP and lists by default.
    ///   - lists: lists that are at hand; those of other issuers, and those past their nextUpdate, say nothing.
    ///   - cache: what is known already; a new one by default.
    ///   - roots: where a chain may end, the system's roots by default.
    ///   - profile: how strictly a chain and its names are judged, as those of public authorities by default.
    public init(
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        options: Options = .any,
        lists: [CertificateRevocationList] = [],
        cache: RevocationCache = RevocationCache(),
        roots: TrustRoots = .system,
        profile: ValidationProfile = .webPKI
    ) {
        self.performDefaultValidation = performDefaultValidation
        validatesHost = validateHost
        self.options = options
        self.lists = lists
        self.cache = cache
        self.roots = roots
        self.profile = profile
    }

    /// Returns when no certificate of the validated chain is known to be revoked.
    ///
    /// - Throws: ``TrustError`` with code `revoked`, `revocationUnknown`, `revocationResponseInvalid`, `stapleMissing`, or
    ///   `revocationInformationNeeded` for what a session has to fetch first.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try validateConfiguration()
        let known = trust.findings.current.validatedChain
        let isValidated = !performDefaultValidation && !known.isEmpty
        let chain = isValidated ? known : try trust.validatedChain(roots: roots, profile: profile)
        if validatesHost { try trust.validateHost(profile: profile) }
        try RevocationCheck(options: options, lists: lists, cache: cache, trust: trust).check(chain)
    }

    /// - Throws: ``TrustError`` with code `contradictoryPolicy` for options without `ocsp` and `crl`, or with
    ///   `preferCRL` but no `crl`; `noCertificatesFound` when the roots are an empty list.
    public func validateConfiguration() throws(TrustError) {
        guard !options.isDisjoint(with: .any) else {
            throw TrustError(
                .contradictoryPolicy,
                reason: "the options name no way to look at revocation; add .ocsp, .crl or .any"
            )
        }
        guard !options.contains(.preferCRL) || options.contains(.crl) else {
            throw TrustError(.contradictoryPolicy, reason: "the options prefer lists and do not allow them; add .crl")
        }
        try roots.validateConfiguration()
    }
}

extension RevocationTrustEvaluator: CustomStringConvertible {
    /// What is checked, in words.
    public var description: String {
        let ways = [(Options.ocsp, "OCSP"), (.crl, "lists")].filter { options.contains($0.0) }.map(\.1)
        return "\(EvaluatorWords.chain(true)), \(EvaluatorWords.host(validatesHost)), not revoked by "
            + ways.joined(separator: " or ")
            + (options.contains(.requirePositiveResponse) ? ", which has to be known" : "")
            + (options.contains(.networkAccessDisabled) ? ", nothing fetched" : "")
    }
}
