import LinchpinTrust
import Testing

@Suite struct PolicyExplanationTests {
    private static let patterns = [
        "api.foo.com:8443", "api.foo.com:9443", "api.foo.com", "*.foo.com", "**.foo.com", "**.other.example", "[::1]:1",
    ]

    private func manager(isLenient: Bool = false) throws -> ServerTrustManager {
        try ServerTrustManager(
            allHostsMustBeEvaluated: !isLenient,
            evaluators: Dictionary(uniqueKeysWithValues: Self.patterns.map { ($0, DisabledTrustEvaluator()) })
        )
    }

    private static let cases: [(host: String, port: Int?, pattern: String?, candidates: [String])] = [
        (
            "API.foo.com.", 8_443, "api.foo.com:8443",
            ["api.foo.com:8443", "api.foo.com:9443", "api.foo.com", "*.foo.com", "**.foo.com"]
        ),
        (
            "api.foo.com", 9_443, "api.foo.com:9443",
            ["api.foo.com:9443", "api.foo.com:8443", "api.foo.com", "*.foo.com", "**.foo.com"]
        ),
        (
            "api.foo.com", nil, "api.foo.com",
            ["api.foo.com:8443", "api.foo.com:9443", "api.foo.com", "*.foo.com", "**.foo.com"]
        ),
        ("x.foo.com", 443, "*.foo.com", ["*.foo.com", "**.foo.com"]),
        ("a.b.foo.com", 443, "**.foo.com", ["*.foo.com", "**.foo.com"]),
        ("foo.com", 443, "**.foo.com", ["*.foo.com", "**.foo.com"]),
        ("[0::1]", 1, "[::1]:1", ["[::1]:1"]), ("::1", 2, nil, ["[::1]:1"]), ("10.0.0.1", 443, nil, []),
        ("stranger.example", nil, nil, []),
    ]

    @Test(arguments: cases.indices)
    func `an explanation has the entry that applies and all that nearly do`(index: Int) throws {
        let (host, port, pattern, candidates) = Self.cases[index]
        let explanation = try manager().policy(for: host, port: port)
        #expect(explanation.pattern == pattern)
        #expect(explanation.candidates.map(\.pattern) == candidates)
        #expect(explanation.candidates.filter(\.isApplied).map(\.pattern) == [pattern].compactMap(\.self))
        #expect(explanation.candidates.allSatisfy { !$0.reason.isEmpty })
        #expect(explanation.outcome == (pattern == nil ? .refused : .entry))
        #expect((explanation.evaluator == nil) == (pattern == nil))
        #expect(explanation.host == (try ReferenceIdentity(host: host).description))
        #expect(explanation.port == port)
        // What a session does is the same.
        guard let port else { return }
        let identity = try ReferenceIdentity(host: host)
        let policy = try? manager().policy(for: identity, port: port)
        #expect(policy?.pattern == pattern)
        #expect(explanation.refusesPlainHTTP)
    }

    @Test func `the words say why`() throws {
        let text = try manager().policy(for: "foo.com", port: 443).description
        #expect(text.hasPrefix("foo.com:443: the entry \"**.foo.com\" is for foo.com and every name below it"))
        #expect(text.contains("\"*.foo.com\" is for names of exactly one label more than foo.com"))
        #expect(text.contains("plain http: refused"))
        #expect(text.contains("checked: nothing: any server is accepted"))
        let beaten = try manager().policy(for: "api.foo.com", port: 8_443).description
        #expect(beaten.contains("\"api.foo.com:9443\" is for this host on port 9443"))
        #expect(beaten.contains("\"*.foo.com\" is less specific than \"api.foo.com:8443\""))
        #expect(try manager().policy(for: "::1", port: 2).description.hasPrefix("[::1]:2: no entry matches"))
    }

    @Test func `a host without an entry is refused, or left to the system's roots`() throws {
        let refused = try manager().policy(for: "stranger.example")
        #expect(refused.outcome == .refused)
        #expect(refused.reason.contains("allHostsMustBeEvaluated"))
        #expect(refused.refusesPlainHTTP)
        let system = try manager(isLenient: true).policy(for: "stranger.example")
        #expect(system.outcome == .system)
        #expect(system.evaluator is DefaultTrustEvaluator)
        #expect(!system.refusesPlainHTTP)
        let otherPort = try manager(isLenient: true).policy(for: "::1", port: 2)
        #expect(otherPort.outcome == .system)
        #expect(otherPort.refusesPlainHTTP)
    }

    @Test(arguments: ["", "https://foo.com", "foo.com:443", "*.foo.com", "a..b"])
    func `what is no host is an error`(host: String) throws {
        let manager = try manager()
        let error = #expect(throws: TrustError.self) { try manager.policy(for: host) }
        #expect(error?.code == .malformedHost)
    }

    // MARK: Subclasses

    private final class Choosing: ServerTrustManager, @unchecked Sendable {
        struct Confused: Error {}

        override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
            switch host {
            case "chosen.example": DefaultTrustEvaluator()
            case "system.example": nil
            case "confused.example": throw Confused()
            default: try super.serverTrustEvaluator(forHost: host)
            }
        }
    }

    @Test func `what a subclass chooses is explained as its choice`() throws {
        let manager = try Choosing(evaluators: [
            "chosen.example": DisabledTrustEvaluator(), "*.foo.com": DisabledTrustEvaluator(),
        ])
        let chosen = try manager.policy(for: "chosen.example", port: 443)
        #expect(chosen.outcome == .subclass)
        #expect(chosen.evaluator is DefaultTrustEvaluator)
        #expect(chosen.pattern == nil)
        #expect(chosen.candidates.map(\.reason) == ["does not count: Choosing decides"])
        #expect(chosen.refusesPlainHTTP)
        #expect(try manager.policy(for: "system.example").outcome == .refused)
        let lenient = try Choosing(allHostsMustBeEvaluated: false, evaluators: [:])
        #expect(try lenient.policy(for: "system.example").outcome == .system)
        let confused = try manager.policy(for: "confused.example")
        #expect(confused.outcome == .refused)
        #expect(confused.reason.contains("Choosing"))
        #expect(try manager.policy(for: "a.foo.com").pattern == "*.foo.com")
        #expect(try manager.policy(for: "a.foo.com").outcome == .entry)
    }

    // MARK: Evaluators in words

    @Test func `evaluators say what they check`() throws {
        let expiration = try PinExpiration("2040-01-31", afterwards: .fallBackToDefaultValidation)
        let pins = try PublicKeyPinsTrustEvaluator(
            pins: [PinPolicyTests.stranger],
            requiresBackupPin: false,
            expiration: expiration,
            performDefaultValidation: false,
            validateHost: false
        )
        #expect(
            pins.description == "one of 1 pinned keys, signatures only, any name, until 2040-01-31T00:00:00Z, "
                + "then valid chain and name"
        )
        #expect(DefaultTrustEvaluator().description == "a valid chain, the host's name")
        let all = CompositeTrustEvaluator(evaluators: [
            PublicKeysTrustEvaluator(keys: []), PinnedCertificatesTrustEvaluator(certificates: []),
        ])
        #expect(
            all.description == "all of: one of 0 pinned keys, a valid chain, the host's name; "
                + "one of 0 pinned certificates, a valid chain, the host's name"
        )
    }
}
