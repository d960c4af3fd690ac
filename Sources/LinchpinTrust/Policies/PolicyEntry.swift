/// What a policy file says about the hosts of one pattern.
struct PolicyEntry {
    private let node: PolicyNode
    private let fields: [String: PolicyNode]

    private static let known: Set<String> = [
        "pins", "requiresBackupPin", "expiration", "onMismatch", "certificates", "acceptSelfSignedCertificates",
        "publicKeys", "validateHost", "performDefaultValidation", "roots", "profile", "revocation", "transparency",
        "clientIdentity",
    ]
    /// What is pinned: one of these at most.
    private static let kinds = ["pins", "certificates", "publicKeys"]
    /// What says nothing without something else.
    private static let companions: [(field: String, needsOneOf: [String], words: String)] = [
        ("requiresBackupPin", ["pins"], "it is about pins, and the entry has none"),
        ("expiration", ["pins"], "it is about pins, and the entry has none"),
        ("onMismatch", ["pins"], "it is about pins, and the entry has none"),
        ("performDefaultValidation", kinds, "it is about pins, and the entry has none"),
        (
            "acceptSelfSignedCertificates", ["certificates"],
            "it is about pinned certificates, and the entry has none"
        ),
    ]
    private static let profiles: [String: ValidationProfile] = ["webPKI": .webPKI, "privatePKI": .privatePKI]
    private static let afterwards: [String: PinExpiration.Afterwards] = [
        "refuse": .refuse, "fallBackToDefaultValidation": .fallBackToDefaultValidation,
    ]

    init(_ node: PolicyNode) throws(TrustError) {
        self.node = node
        fields = try node.fields(Self.known)
    }

    /// What is shown to the hosts if they ask; nil for nothing.
    func clientIdentity(_ given: PolicyGivens) throws(TrustError) -> ClientIdentity? {
        guard let node = fields["clientIdentity"] else { return nil }
        let name = try node.string()
        guard !given.leavesOutClientIdentities else { return nil }
        guard let identity = given.clientIdentities[name] else {
            throw node.fault(
                "\(PolicyNode.quoted(name)) is the name of no client identity that was handed over with the file"
            )
        }
        return identity
    }

    /// What judges the hosts.
    func evaluator(_ reader: inout PolicyRoots, _ given: PolicyGivens) throws(TrustError) -> any ServerTrustEvaluating {
        try refuseIdleFields()
        var usual = Usual()
        usual.roots = try fields["roots"].map { node throws(TrustError) in try reader.roots(node) } ?? .system
        usual.profile = try fields["profile"]?.choice(Self.profiles) ?? .webPKI
        usual.validateHost = try fields["validateHost"]?.boolean() ?? true
        usual.performDefaultValidation = try fields["performDefaultValidation"]?.boolean() ?? true
        let first = try identification(reader, usual, given)
        let further = try PolicyEvidence(fields: fields, usual: usual).evaluators(reader)
        let evaluator = further.isEmpty ? first : CompositeTrustEvaluator(evaluators: [first] + further)
        do {
            try evaluator.validateConfiguration()
        } catch {
            throw node.fault(error)
        }
        return evaluator
    }

    /// What the entry says, for reports about a policy; asked for after the evaluator was made.
    func summary(of pattern: String, _ evaluator: any ServerTrustEvaluating) throws(TrustError) -> PolicySummary {
        var pins: [PublicKeyPin] = []
        for pin in try fields["pins"]?.elements() ?? [] { pins.append(try PublicKeyPin(pin.string())) }
        return PolicySummary(
            pattern: pattern,
            checks: EvaluatorWords.of(evaluator),
            pins: pins,
            expiration: try expiration(),
            asksRevocation: fields["revocation"] != nil,
            asksTransparency: fields["transparency"] != nil,
            clientIdentity: try fields["clientIdentity"]?.string()
        )
    }

    /// What every evaluator of an entry has.
    struct Usual {
        var roots = TrustRoots.system
        var profile = ValidationProfile.webPKI
        var validateHost = true
        var performDefaultValidation = true
    }

    private func refuseIdleFields() throws(TrustError) {
        let kinds = Self.kinds.filter { fields[$0] != nil }
        if kinds.count > 1, let second = fields[kinds[1]] {
            throw second.fault("the entry has \(kinds[0]) already; one entry pins one kind of thing")
        }
        for companion in Self.companions {
            guard let field = fields[companion.field], companion.needsOneOf.allSatisfy({ fields[$0] == nil }) else {
                continue
            }
            throw field.fault(companion.words)
        }
    }

    /// What the hosts are known by.
    private func identification(
        _ reader: PolicyRoots,
        _ usual: Usual,
        _ given: PolicyGivens
    ) throws(TrustError) -> any ServerTrustEvaluating {
        if let pins = fields["pins"] { return try pinning(pins, usual, given) }
        if let certificates = fields["certificates"] {
            return PinnedCertificatesTrustEvaluator(
                certificates: try reader.certificates(certificates),
                acceptSelfSignedCertificates: try fields["acceptSelfSignedCertificates"]?.boolean() ?? false,
                performDefaultValidation: usual.performDefaultValidation,
                validateHost: usual.validateHost,
                roots: usual.roots,
                profile: usual.profile
            )
        }
        if let keys = fields["publicKeys"] {
            return PublicKeysTrustEvaluator(
                keys: try reader.publicKeys(keys),
                performDefaultValidation: usual.performDefaultValidation,
                validateHost: usual.validateHost,
                roots: usual.roots,
                profile: usual.profile
            )
        }
        return DefaultTrustEvaluator(validateHost: usual.validateHost, roots: usual.roots, profile: usual.profile)
    }

    private func pinning(
        _ pins: PolicyNode,
        _ usual: Usual,
        _ given: PolicyGivens
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
        let onMismatch = try onMismatch(given)
        do {
            return try PublicKeyPinsTrustEvaluator(
                pins: texts,
                requiresBackupPin: requiresBackupPin,
                expiration: expiration,
                onMismatch: onMismatch,
                performDefaultValidation: usual.performDefaultValidation,
                validateHost: usual.validateHost,
                roots: usual.roots,
                profile: usual.profile
            )
        } catch {
            throw pins.fault(error)
        }
    }

    private func onMismatch(_ given: PolicyGivens) throws(TrustError) -> PinMismatchAction {
        guard let node = fields["onMismatch"] else { return .refuse }
        guard try node.choice(["refuse": false, "refuseAndReport": true, "reportOnly": true]) else { return .refuse }
        guard let handler = given.pinFailureHandler else {
            throw node.fault("a handler takes reports, and none was handed over with the file")
        }
        return try node.string() == "reportOnly" ? .reportOnly(handler) : .refuseAndReport(handler)
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
