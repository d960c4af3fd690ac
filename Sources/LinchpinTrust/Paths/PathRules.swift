internal import COpenSSL

/// What a rule says about a path.
enum RuleVerdict {
    case passed
    case refused(TrustError.Code, String)
}

/// One rule, or one group of them, that a path must keep.
protocol PathRule: Sendable {
    func verdict(on path: CandidatePath) -> RuleVerdict
}

/// The rules of a profile, on top of what `X509_verify_cert` has checked.
struct PathRules: Sendable {
    private let rules: [any PathRule]
    private let anchorRules: [any PathRule]

    private init(_ rules: [any PathRule], forAnchorAlone anchorRules: [any PathRule]) {
        self.rules = rules
        self.anchorRules = anchorRules
    }

    static func of(_ profile: ValidationProfile) -> PathRules {
        switch profile {
        case .webPKI: webPKI
        case .privatePKI: privatePKI
        }
    }

    private static let common: [any PathRule] = [KeyRule(profile: .privatePKI), ExtensionRule()]
    private static let ofPrivateChains: [any PathRule] = [
        SignatureRule(), PurposeRule(profile: .privatePKI), NameConstraintsRule(profile: .privatePKI),
    ]

    /// For evaluators that were told not to validate: what a chain proves, whenever.
    static let undated = PathRules(common + ofPrivateChains, forAnchorAlone: common)

    private static let privatePKI = PathRules(
        [ValidityRule()] + common + ofPrivateChains,
        forAnchorAlone: [ValidityRule()] + common
    )

    private static let webPKI = PathRules(
        [
            ValidityRule(), KeyRule(profile: .webPKI), SignatureRule(), ExtensionRule(), CertificateFieldRule(),
            SerialNumberRule(), CriticalityRule(), AuthorityRule(), KeyIdentifierRule(), PurposeRule(profile: .webPKI),
            ServerRule(),
            SubjectAlternativeNameRule(), NameConstraintsRule(profile: .webPKI),
        ],
        forAnchorAlone: [ValidityRule()] + common + [SerialNumberRule()]
    )

    /// Why the path is refused; nil when every rule is kept.
    func refusal(of path: CandidatePath) -> TrustError? {
        // Rules hand pointers into the path's certificates to OpenSSL.
        withExtendedLifetime(path) {
            for rule in path.links.count > 1 ? rules : anchorRules {
                if case .refused(let code, let reason) = rule.verdict(on: path) {
                    return TrustError(code, reason: reason)
                }
            }
            return nil
        }
    }
}
