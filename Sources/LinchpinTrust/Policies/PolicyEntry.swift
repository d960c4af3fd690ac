/// What a policy file says about the hosts of one pattern.
struct PolicyEntry {
    private let node: PolicyNode
    private let fields: [String: PolicyNode]

    private static let known: Set<String> = [
        "pins", "requiresBackupPin", "expiration", "validateHost", "performDefaultValidation", "roots", "profile",
    ]
    /// What says nothing where there are no pins.
    private static let aboutPins = ["requiresBackupPin", "expiration", "performDefaultValidation"]
    private static let profiles: [String: ValidationProfile] = ["webPKI": .webPKI, "privatePKI": .privatePKI]
    private static let afterwards: [String: PinExpiration.Afterwards] = [
        "refuse": .refuse, "fallBackToDefaultValidation": .fallBackToDefaultValidation,
    ]

    init(_ node: PolicyNode) throws(TrustError) {
        self.node = node
        fields = try node.fields(Self.known)
    }

    /// What judges the hosts.
    func evaluator(_ reader: inout PolicyRoots) throws(TrustError) -> any ServerTrustEvaluating {
        let roots = try fields["roots"].map { node throws(TrustError) in try reader.roots(node) } ?? .system
        let profile = try fields["profile"]?.choice(Self.profiles) ?? .webPKI
        let validateHost = try fields["validateHost"]?.boolean() ?? true
        let evaluator: any ServerTrustEvaluating
        if let pins = fields["pins"] {
            evaluator = try pinning(pins, roots, profile, validateHost: validateHost)
        } else {
            if let idle = Self.aboutPins.compactMap({ fields[$0] }).first {
                throw idle.fault("it is about pins, and the entry has none")
            }
            evaluator = DefaultTrustEvaluator(validateHost: validateHost, roots: roots, profile: profile)
        }
        do {
            try evaluator.validateConfiguration()
        } catch {
            throw node.fault(error)
        }
        return evaluator
    }

    private func pinning(
        _ pins: PolicyNode,
        _ roots: TrustRoots,
        _ profile: ValidationProfile,
        validateHost: Bool
    ) throws(TrustError) -> PublicKeyPinsTrustEvaluator {
        var texts: [String] = []
        for pin in try pins.elements() {
            let text = try pin.string()
            do {
                _ = try PublicKeyPin(text)
            } catch {
                throw pin.fault(error)
            }
            texts.append(text)
        }
        let requiresBackupPin = try fields["requiresBackupPin"]?.boolean() ?? true
        let expiration = try expiration()
        let performDefaultValidation = try fields["performDefaultValidation"]?.boolean() ?? true
        do {
            return try PublicKeyPinsTrustEvaluator(
                pins: texts,
                requiresBackupPin: requiresBackupPin,
                expiration: expiration,
                performDefaultValidation: performDefaultValidation,
                validateHost: validateHost,
                roots: roots,
                profile: profile
            )
        } catch {
            throw pins.fault(error)
        }
    }

    private func expiration() throws(TrustError) -> PinExpiration? {
        guard let node = fields["expiration"] else { return nil }
        let fields = try node.fields(["date", "afterwards"])
        guard let date = fields["date"] else { throw node.missing("date", "\"2030-01-31\", or a moment in UTC") }
        guard let word = fields["afterwards"] else {
            throw node.missing("afterwards", "\"refuse\" or \"fallBackToDefaultValidation\"")
        }
        let (text, afterwards) = (try date.string(), try word.choice(Self.afterwards))
        do {
            return try PinExpiration(text, afterwards: afterwards)
        } catch {
            throw date.fault(error)
        }
    }
}
