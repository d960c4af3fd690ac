import LinchpinTesting
import LinchpinTrust
import Testing

/// Which of several entries a host finds.
@Suite struct HostTableTests {
    private struct Marked: ServerTrustEvaluating {
        func evaluate(_ trust: ServerTrust, forHost host: String) {}
    }

    private func manager(_ patterns: [String], isLenient: Bool = false) throws -> ServerTrustManager {
        try ServerTrustManager(
            allHostsMustBeEvaluated: !isLenient,
            evaluators: Dictionary(uniqueKeysWithValues: patterns.map { ($0, Marked()) })
        )
    }

    /// The pattern of the entry for a host; nil when it has none.
    private func pattern(_ manager: ServerTrustManager, _ host: String, port: Int = 443) throws -> String? {
        do throws(TrustError) {
            return try manager.policy(for: ReferenceIdentity(host: host), port: port).pattern
        } catch  where error.code == .noRequiredEvaluator {
            return nil
        }
    }

    // MARK: Wildcards of any depth

    private static let below: [(pattern: String, host: String)] = [
        ("**.foo.com", "foo.com"), ("**.foo.com", "FOO.com."), ("**.foo.com", "a.foo.com"),
        ("**.foo.com", "a.b.foo.com"), ("**.FOO.com.", "a.b.c.d.e.f.foo.com."), ("**.foo.com", "xn--bcher-kva.foo.com"),
        ("**.foo.com", "bücher.a.foo.com"), ("**.bücher.example", "xn--bcher-kva.example"),
        ("**.xn--bcher-kva.example", "a.b.bücher.example"), ("**.foo.com", "foo.com.foo.com"),
    ]

    @Test(arguments: below)
    func `two asterisks stand for any depth and for the name itself`(pattern: String, host: String) throws {
        #expect(try self.pattern(manager([pattern]), host) == pattern)
    }

    @Test(arguments: [
        "xfoo.com", "foo.com.evil.example", "com", "a.xfoo.com", "foo.com.au", "a.foo.co", "foo.org", "127.0.0.1",
        "::1", "localhost", "foo", "comfoo.com",
    ])
    func `two asterisks stand for no stranger`(host: String) throws {
        #expect(try pattern(manager(["**.foo.com"]), host) == nil)
    }

    @Test func `a name of very many labels is looked up`() throws {
        let name = Array(repeating: "a", count: 120).joined(separator: ".") + ".foo.com"
        #expect(try pattern(manager(["**.foo.com"]), name) == "**.foo.com")
        #expect(try pattern(manager(["*.foo.com"]), name) == nil)
    }

    // MARK: IPv4 within IPv6

    private static let mapped = [
        "::ffff:10.0.0.1", "[::ffff:10.0.0.1]", "::FFFF:10.0.0.1", "::ffff:a00:1", "[::FFFF:0A00:0001]",
        "0:0:0:0:0:ffff:10.0.0.1", "0000:0000:0000:0000:0000:ffff:0a00:0001",
    ]

    @Test(arguments: mapped)
    func `an IPv4 address and the IPv6 address that maps it find each other's entry`(spelling: String) throws {
        #expect(try pattern(manager(["10.0.0.1"]), spelling) == "10.0.0.1")
        #expect(try pattern(manager([spelling]), "10.0.0.1") == spelling)
        for other in Self.mapped { #expect(try pattern(manager([spelling]), other) == spelling) }
        #expect(try pattern(manager(["10.0.0.2"]), spelling) == nil)
        #expect(try pattern(manager([spelling]), "10.0.0.2") == nil)
        let withPort = try manager(["10.0.0.1:8443"])
        #expect(try pattern(withPort, spelling, port: 8_443) == "10.0.0.1:8443")
        #expect(try pattern(withPort, spelling) == nil)
    }

    @Test(arguments: mapped)
    func `no spelling of an address gets round the refusal of plain http`(spelling: String) throws {
        func refusesCleartext(_ pattern: String, _ host: String) throws -> Bool {
            let manager = try manager([pattern], isLenient: true)
            let refuses = try manager.policy(for: ReferenceIdentity(host: host), port: 80).refusesCleartext
            let explanation = try manager.policy(for: host, port: 80)
            #expect(explanation.refusesPlainHTTP == refuses)
            #expect(explanation.candidates.map(\.pattern) == (refuses ? [pattern] : []))
            return refuses
        }
        let bracketed = spelling.hasPrefix("[") ? spelling : "[\(spelling)]"
        for (pattern, host) in [
            ("10.0.0.1", spelling), ("10.0.0.1:8443", spelling), (spelling, "10.0.0.1"),
            ("\(bracketed):8443", "10.0.0.1"),
        ] {
            #expect(try refusesCleartext(pattern, host), "\(pattern) \(host)")
        }
        #expect(try !refusesCleartext("10.0.0.2", spelling))
        #expect(try !refusesCleartext(spelling, "10.0.0.2"))
    }

    @Test func `a certificate has to name the address that was asked for, whatever entry was found`() throws {
        let root = try LocalCertificateAuthority(validity: .atNoon)
        let evaluator = DefaultTrustEvaluator(roots: .certificates([root.certificate]))
        let (plain, mapped) = ("10.0.0.1", "::ffff:10.0.0.1")
        for (host, name, code) in [
            (plain, plain, nil), (mapped, mapped, nil), (plain, mapped, .hostMismatch), (mapped, plain, .hostMismatch),
        ] as [(String, String, TrustError.Code?)] {
            let server = try root.issue([.ip(name)], validity: .atNoon)
            for entry in [plain, mapped] {
                let manager = try ServerTrustManager(evaluators: [entry: evaluator])
                let found = try #require(try manager.serverTrustEvaluator(forHost: host))
                #expect(try refusal(by: found, of: server.chain, host: host)?.code == code, "\(host) for \(name)")
            }
        }
    }

    // MARK: The most specific wins

    private static let table = [
        "api.foo.com:8443", "api.foo.com", "*.foo.com", "**.foo.com", "**.deep.foo.com", "*.mid.deep.foo.com",
        "**.only.example", "[::1]:8443", "::1", "127.0.0.1:8443", "localhost:8443", "localhost", "bare.example",
        "**.bare.example",
    ]

    private static let winners: [(host: String, port: Int, pattern: String?)] = [
        ("api.foo.com", 8_443, "api.foo.com:8443"), ("API.foo.com.", 8_443, "api.foo.com:8443"),
        ("api.foo.com", 443, "api.foo.com"), ("other.foo.com", 8_443, "*.foo.com"), ("foo.com", 443, "**.foo.com"),
        ("a.b.foo.com", 443, "**.foo.com"), ("a.api.foo.com", 443, "**.foo.com"),
        ("deep.foo.com", 443, "**.deep.foo.com"), ("a.deep.foo.com", 443, "**.deep.foo.com"),
        ("mid.deep.foo.com", 443, "**.deep.foo.com"), ("a.mid.deep.foo.com", 443, "*.mid.deep.foo.com"),
        ("a.b.mid.deep.foo.com", 443, "**.deep.foo.com"), ("only.example", 443, "**.only.example"),
        ("a.only.example", 1, "**.only.example"), ("::1", 8_443, "[::1]:8443"), ("[0::1]", 443, "::1"),
        ("127.0.0.1", 8_443, "127.0.0.1:8443"), ("127.0.0.1", 443, nil), ("localhost", 8_443, "localhost:8443"),
        ("localhost", 1, "localhost"), ("bare.example", 443, "bare.example"),
        ("a.bare.example", 443, "**.bare.example"), ("stranger.example", 443, nil),
    ]

    @Test(arguments: winners.indices)
    func `the port wins over the host, the host over wildcards, the longest wildcard over others`(index: Int) throws {
        let (host, port, expected) = Self.winners[index]
        #expect(try pattern(manager(Self.table), host, port: port) == expected)
        #expect(try pattern(manager(Self.table.reversed()), host, port: port) == expected)
    }

    // MARK: Ports

    @Test func `an entry with a port says nothing about another port`() throws {
        let strict = try manager(["foo.com:8443"])
        #expect(try pattern(strict, "foo.com", port: 8_443) == "foo.com:8443")
        let error = #expect(throws: TrustError.self) {
            try strict.policy(for: ReferenceIdentity(host: "foo.com"), port: 443)
        }
        #expect(error?.code == .noRequiredEvaluator)
        #expect(error?.reason.contains("foo.com:8443") == true)
        let lenient = try manager(["foo.com:8443"], isLenient: true)
        let policy = try lenient.policy(for: ReferenceIdentity(host: "foo.com"), port: 443)
        #expect(policy.evaluator is DefaultTrustEvaluator)
        #expect(!policy.isExplicit)
    }

    @Test(arguments: ["foo.com", "foo.com:8443", "*.example.com", "**.example.com", "[::1]:8443", "bare.example:1"])
    func `plain http is refused on every port of a host that an entry names`(pattern: String) throws {
        let manager = try manager([pattern], isLenient: true)
        let name = try HostPattern(pattern).name
        let host = pattern.hasPrefix("*") ? "a.\(name)" : name
        for port in [80, 443, 1, 8_443] {
            let identity = try ReferenceIdentity(host: host)
            let policy = try manager.policy(for: identity, port: port)
            #expect(policy.refusesCleartext)
            #expect(policy.cleartextRefusal(identity).pattern == pattern)
            let other = try manager.policy(for: ReferenceIdentity(host: "other.example"), port: port)
            #expect(!other.refusesCleartext)
        }
    }

    // MARK: Subclasses

    private final class ByHost: ServerTrustManager, @unchecked Sendable {
        override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
            host == "chosen.example" ? DisabledTrustEvaluator() : try super.serverTrustEvaluator(forHost: host)
        }
    }

    private final class ByPort: ServerTrustManager, @unchecked Sendable {
        override func serverTrustEvaluator(forHost host: String, port: Int) throws -> (any ServerTrustEvaluating)? {
            port == 1 ? DisabledTrustEvaluator() : try super.serverTrustEvaluator(forHost: host, port: port)
        }
    }

    @Test func `a subclass that knows no ports is asked for hosts, and entries with a port stay in force`() throws {
        let manager = try ByHost(evaluators: ["a.example:8443": Marked(), "chosen.example:8443": Marked()])
        func evaluator(_ host: String, _ port: Int) throws -> any ServerTrustEvaluating {
            try manager.policy(for: ReferenceIdentity(host: host), port: port).evaluator
        }
        #expect(try evaluator("chosen.example", 443) is DisabledTrustEvaluator)
        #expect(try evaluator("chosen.example", 8_443) is Marked)
        #expect(try evaluator("a.example", 8_443) is Marked)
        #expect(throws: TrustError.self) { try evaluator("a.example", 443) }
    }

    @Test func `a subclass may choose by the port`() throws {
        let manager = try ByPort(evaluators: ["a.example": Marked()])
        func evaluator(_ port: Int) throws -> any ServerTrustEvaluating {
            try manager.policy(for: ReferenceIdentity(host: "a.example"), port: port).evaluator
        }
        #expect(try evaluator(1) is DisabledTrustEvaluator)
        #expect(try evaluator(443) is Marked)
    }

    @Test func `a host is looked up without a port where none is given`() throws {
        let manager = try manager(["foo.com:8443", "bar.com"])
        #expect(try manager.serverTrustEvaluator(forHost: "bar.com") is Marked)
        #expect(try manager.serverTrustEvaluator(forHost: "foo.com", port: 8_443) is Marked)
        #expect(throws: TrustError.self) { try manager.serverTrustEvaluator(forHost: "foo.com") }
        #expect(throws: TrustError.self) { try manager.serverTrustEvaluator(forHost: "bar.com:443") }
    }
}
