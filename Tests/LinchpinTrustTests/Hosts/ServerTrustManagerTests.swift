import Foundation
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@Suite struct ServerTrustManagerTests {
    /// An evaluator that can be told from others.
    private final class Marked: ServerTrustEvaluating {
        let mark: String
        init(_ mark: String) { self.mark = mark }
        func evaluate(_ trust: ServerTrust, forHost host: String) {}
    }

    private func mark(_ manager: ServerTrustManager, _ host: String) throws -> String? {
        let found = try manager.serverTrustEvaluator(forHost: host) as? Marked
        let policy = try manager.policy(for: ReferenceIdentity(host: host), port: 443).evaluator as? Marked
        #expect(found === policy, "both ways to look a host up")
        return found?.mark
    }

    // MARK: Lookup

    private static let spellings: [(pattern: String, host: String)] = [
        ("example.com", "example.com"), ("example.com", "EXAMPLE.com"), ("Example.Com", "example.com"),
        ("example.com", "example.com."), ("example.com.", "example.com"), ("EXAMPLE.COM.", "example.com"),
        ("bücher.example", "xn--bcher-kva.example"), ("XN--BCHER-KVA.example", "bücher.example."),
        ("127.0.0.1", "127.0.0.1."), ("::1", "[0:0::0:1]"), ("[::1]", "0:0:0:0:0:0:0:1"),
        ("2001:DB8::1", "2001:db8:0::1"),
        ("*.foo.com", "bar.foo.com"), ("*.FOO.com.", "BAR.foo.COM"), ("*.foo.com", "xn--bcher-kva.foo.com"),
        ("*.bücher.example", "api.xn--bcher-kva.example"), ("*.foo.com", "bücher.foo.com."), ("*.a.b.c", "x.a.b.c"),
    ]

    @Test(arguments: spellings)
    func `every spelling of a host finds its entry`(pattern: String, host: String) throws {
        let manager = try ServerTrustManager(evaluators: [pattern: Marked("entry")])
        #expect(try mark(manager, host) == "entry")
        #expect(try manager.policy(for: ReferenceIdentity(host: host), port: 443).pattern == pattern)
    }

    private static let strangers: [(pattern: String, host: String)] = [
        ("*.foo.com", "bar.foo.com.notfoo.com"), ("*.foo.com", "xfoo.com"), ("*.foo.com", "foo.com"),
        ("*.foo.com", "a.b.foo.com"), ("*.foo.com", "bar.foo.com.au"), ("*.foo.com", "bar.xfoo.com"),
        ("*.foo.com", "com"),
        ("foo.com", "bar.foo.com"), ("foo.com", "foo.com.evil.example"), ("foo.com", "xfoo.com"), ("foo.com", "foo.co"),
        ("127.0.0.1", "127.0.0.2"), ("127.0.0.1", "::ffff:127.0.0.2"), ("::1", "::2"), ("localhost", "127.0.0.1"),
        ("127.0.0.1", "::127.0.0.1"), ("127.0.0.1", "::fffe:127.0.0.1"), ("127.0.0.1", "64:ff9b::127.0.0.1"),
        ("127.0.0.1", "1::ffff:127.0.0.1"), ("::ffff:127.0.0.1", "::127.0.0.1"), ("::ffff:7f00:1", "127.0.0.2"),
        ("bücher.example", "bucher.example"),
    ]

    @Test(arguments: strangers)
    func `another host does not find it`(pattern: String, host: String) throws {
        let manager = try ServerTrustManager(evaluators: [pattern: Marked("entry")])
        let error = #expect(throws: TrustError.self) { try mark(manager, host) }
        #expect(error?.code == .noRequiredEvaluator)
        #expect(try error?.host == ReferenceIdentity(host: host).description)
    }

    @Test func `the exact host wins over the wildcard, and the nearer wildcard over the farther`() throws {
        let manager = try ServerTrustManager(evaluators: [
            "*.foo.com": Marked("wildcard"), "api.foo.com": Marked("exact"), "*.api.foo.com": Marked("deeper"),
        ])
        #expect(try mark(manager, "api.foo.com") == "exact")
        #expect(try mark(manager, "API.foo.com.") == "exact")
        #expect(try mark(manager, "other.foo.com") == "wildcard")
        #expect(try mark(manager, "x.api.foo.com") == "deeper")
    }

    @Test(arguments: ["", "a b", "https://foo.com", "foo.com:443", "foo.com\u{0}", ".foo.com", "[::1]:443"])
    func `what is no host finds nothing`(host: String) throws {
        let manager = try ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: ["foo.com": Marked("entry")])
        let error = #expect(throws: TrustError.self) { try manager.serverTrustEvaluator(forHost: host) }
        #expect(error?.code == .malformedHost)
    }

    // MARK: Hosts without an entry

    @Test func `a host without an entry is refused unless it need not have one`() throws {
        let strict = try ServerTrustManager(evaluators: [:])
        #expect(strict.allHostsMustBeEvaluated)
        let byName = #expect(throws: TrustError.self) { try strict.serverTrustEvaluator(forHost: "foo.com") }
        let byIdentity = #expect(throws: TrustError.self) {
            try strict.policy(for: ReferenceIdentity(host: "foo.com"), port: 443)
        }
        for error in [byName, byIdentity] {
            #expect(error?.code == .noRequiredEvaluator)
            #expect(error?.host == "foo.com")
        }
        let lenient = try ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: [:])
        #expect(!lenient.allHostsMustBeEvaluated)
        #expect(try lenient.serverTrustEvaluator(forHost: "foo.com") == nil)
    }

    @Test func `a host that need not have an entry is judged by the system's roots, not let through`() throws {
        let world = try World()
        let manager = try ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["other.example": DisabledTrustEvaluator()]
        )
        let policy = try manager.policy(for: ReferenceIdentity(host: World.host), port: 443)
        #expect(!policy.isExplicit)
        #expect(policy.pattern == nil)
        #expect(policy.evaluator.validatesHost)
        #expect(try refusal(by: policy.evaluator, of: world.fullChain)?.code == .noAnchor)
        let twin = DefaultTrustEvaluator(roots: .systemAndCertificates([world.root.certificate]))
        #expect(try refusal(by: twin, of: world.fullChain) == nil)
    }

    // MARK: Mistakes found when a table is made

    private static let duplicates: [(first: String, second: String)] = [
        ("foo.com", "FOO.com"), ("foo.com", "foo.com."), ("bücher.example", "xn--bcher-kva.example"),
        ("::1", "[::1]"), ("::1", "0:0:0:0:0:0:0:1"), ("127.0.0.1", "127.0.0.1."), ("*.foo.com", "*.Foo.Com"),
        ("10.0.0.1", "::ffff:10.0.0.1"), ("10.0.0.1:443", "[::ffff:a00:1]:443"),
        ("*.foo.com", "*.foo.com."), ("*.bücher.example", "*.xn--bcher-kva.example"),
        ("**.foo.com", "**.Foo.com."), ("foo.com:443", "FOO.com.:443"), ("[::1]:1", "[0:0::1]:1"),
    ]

    @Test(arguments: duplicates)
    func `two spellings of one host are an error that names both`(first: String, second: String) throws {
        let error = #expect(throws: TrustError.self) {
            try ServerTrustManager(evaluators: [first: Marked("a"), second: Marked("b")])
        }
        #expect(error?.code == .malformedHostPattern)
        #expect(error?.reason.contains("\"\(first)\"") == true)
        #expect(error?.reason.contains("\"\(second)\"") == true)
        _ = try ServerTrustManager(evaluators: [first: Marked("a"), "other.example": Marked("b")])
    }

    @Test(arguments: ["https://www.domain.com/", "172.18.10.10:0", "*", "**", "*.com", "a.*.b", "", ".com", "foo.com/"])
    func `a key that can match no host is an error`(pattern: String) throws {
        let error = #expect(throws: TrustError.self) {
            try ServerTrustManager(evaluators: ["foo.com": Marked("a"), pattern: Marked("b")])
        }
        #expect(error?.code == .malformedHostPattern)
    }

    /// Evaluators that accept nothing, and what a table says of them.
    private static let empty: [(name: String, evaluator: any ServerTrustEvaluating, code: TrustError.Code)] = [
        ("certificates", PinnedCertificatesTrustEvaluator(certificates: []), .noCertificatesFound),
        (
            "certificates, self-signed accepted",
            PinnedCertificatesTrustEvaluator(certificates: [], acceptSelfSignedCertificates: true), .noCertificatesFound
        ),
        (
            "certificates, no validation",
            PinnedCertificatesTrustEvaluator(certificates: [], performDefaultValidation: false), .noCertificatesFound
        ),
        ("keys", PublicKeysTrustEvaluator(keys: []), .noPublicKeysFound),
        (
            "keys, no validation", PublicKeysTrustEvaluator(keys: [], performDefaultValidation: false),
            .noPublicKeysFound
        ),
        ("composite", CompositeTrustEvaluator(evaluators: []), .noEvaluatorsFound),
        (
            "composite of an empty one",
            CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), CompositeTrustEvaluator(evaluators: [])]),
            .noEvaluatorsFound
        ),
        (
            "composite of empty pins",
            CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), PublicKeysTrustEvaluator(keys: [])]),
            .noPublicKeysFound
        ),
        ("no roots", DefaultTrustEvaluator(roots: .certificates([])), .noCertificatesFound),
        ("keys, no roots", PublicKeysTrustEvaluator(keys: someKeys, roots: .certificates([])), .noCertificatesFound),
        (
            "composite of no roots",
            CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(roots: .systemAndCertificates([]))]),
            .noCertificatesFound
        ),
    ]

    private static let someKeys = (try? LocalCertificateAuthority.selfSigned().certificate.publicKey).map { [$0] } ?? []

    @Test(arguments: empty.indices)
    func `an evaluator with nothing to check is an error of the table, and refuses by itself`(index: Int) throws {
        let (name, evaluator, code) = Self.empty[index]
        let error = #expect(throws: TrustError.self, "\(name)") {
            try ServerTrustManager(evaluators: ["foo.com": evaluator])
        }
        #expect(error?.code == code, "\(name)")
        #expect(error?.reason.hasPrefix("the entry \"foo.com\": ") == true, "\(name)")
        let world = try World()
        #expect(try refusal(by: evaluator, of: world.server.chain)?.code == code, "\(name)")
    }

    // MARK: Replacing the table

    @Test func `a replaced table judges by its new entries and tells who watches`() throws {
        let manager = try ServerTrustManager(evaluators: ["foo.com": Marked("old")])
        let before = try manager.policy(for: ReferenceIdentity(host: "foo.com"), port: 443)
        let told = Mutex<[String]>([])
        let token = manager.observe { running in told.withLock { $0.append("\(running)") } }
        try manager.replaceEvaluators(["foo.com": Marked("new")], runningExchanges: .cancel)
        try manager.replaceEvaluators(allHostsMustBeEvaluated: false, ["foo.com": Marked("newer")])
        #expect(told.withLock { $0 } == ["cancel", "finish"])
        #expect(try mark(manager, "foo.com") == "newer")
        #expect(!manager.allHostsMustBeEvaluated)
        #expect(try manager.policy(for: ReferenceIdentity(host: "foo.com"), port: 443).tag != before.tag)
        manager.stopObserving(token)
        try manager.replaceEvaluators([:])
        #expect(told.withLock { $0.count } == 2)
    }

    @Test func `a table that cannot be made leaves the old one in force`() throws {
        let manager = try ServerTrustManager(evaluators: ["foo.com": Marked("old")])
        let generation = manager.generation
        let told = Mutex(0)
        _ = manager.observe { _ in told.withLock { $0 += 1 } }
        #expect(throws: TrustError.self) { try manager.replaceEvaluators(["foo.com": Marked("a"), "*": Marked("b")]) }
        #expect(throws: TrustError.self) {
            try manager.replaceEvaluators(["foo.com": CompositeTrustEvaluator(evaluators: [])])
        }
        #expect(try mark(manager, "foo.com") == "old")
        #expect(manager.generation == generation)
        #expect(told.withLock { $0 } == 0)
    }

    @Test func `two tables never have the same tag, and two entries of one table neither`() throws {
        let evaluator = Marked("same")
        let tables = try (0..<2).map { _ in
            try ServerTrustManager(evaluators: ["a.example": evaluator, "b.example": evaluator])
        }
        var tags: [String] = []
        for table in tables {
            for host in ["a.example", "b.example"] {
                tags.append(try table.policy(for: ReferenceIdentity(host: host), port: 443).tag)
            }
        }
        #expect(Set(tags).count == 4)
    }

    // MARK: Subclasses

    private final class Choosing: ServerTrustManager, @unchecked Sendable {
        struct Confused: Error {}

        override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
            switch host {
            case "chosen.example": Marked("chosen")
            case "system.example": nil
            case "confused.example": throw Confused()
            default: try super.serverTrustEvaluator(forHost: host)
            }
        }
    }

    @Test func `a subclass chooses, and what it throws refuses`() throws {
        let manager = try Choosing(evaluators: ["*.foo.com": Marked("entry")])
        func policy(_ host: String) throws -> TrustPolicy {
            try manager.policy(for: ReferenceIdentity(host: host), port: 443)
        }
        #expect(try (policy("CHOSEN.example.").evaluator as? Marked)?.mark == "chosen")
        #expect(try (policy("api.foo.com").evaluator as? Marked)?.mark == "entry")
        let nobody = #expect(throws: TrustError.self) { try policy("system.example") }
        #expect(nobody?.code == .noRequiredEvaluator)
        let lenient = try Choosing(allHostsMustBeEvaluated: false, evaluators: [:])
        let left = try lenient.policy(for: ReferenceIdentity(host: "system.example"), port: 443)
        #expect(left.evaluator is DefaultTrustEvaluator)
        let confused = #expect(throws: TrustError.self) { try policy("confused.example") }
        #expect(confused?.code == .customEvaluationFailed)
        #expect(confused?.cause is Choosing.Confused)
        #expect(confused?.host == "confused.example")
        let missing = #expect(throws: TrustError.self) { try policy("other.example") }
        #expect(missing?.code == .noRequiredEvaluator)
    }

    private final class Kept: ServerTrustManager, @unchecked Sendable {
        let kept = Marked("kept")
        override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
            host == "kept.example" ? kept : Marked("made for this call")
        }
    }

    @Test func `evaluators that a subclass chooses share a tag only when they are the same object`() throws {
        let manager = try Kept(evaluators: [:])
        func tag(_ host: String) throws -> String {
            let identity = try ReferenceIdentity(host: host)
            return try manager.policy(for: identity, port: 443).tag
        }
        #expect(try tag("kept.example") == tag("kept.example"))
        #expect(try tag("made.example") != tag("made.example"))
    }
}
