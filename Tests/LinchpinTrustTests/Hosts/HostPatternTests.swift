import LinchpinTrust
import Testing

@Suite struct HostPatternTests {
    private static let wildcards: [(pattern: String, parent: String)] = [
        ("*.example.com", "example.com"), ("*.EXAMPLE.com", "example.com"), ("*.example.com.", "example.com"),
        ("*.a.b.example.com", "a.b.example.com"), ("*.bücher.example", "xn--bcher-kva.example"),
        ("*.my_zone.example.com", "my_zone.example.com"),
    ]

    @Test(arguments: wildcards)
    func `a wildcard has one form, whatever its spelling`(pattern: String, parent: String) throws {
        #expect(try HostPattern(pattern) == .wildcard(parent: parent))
    }

    @Test(arguments: [
        ("example.com", "example.com"), ("EXAMPLE.COM.", "example.com"), ("bücher.example", "xn--bcher-kva.example"),
        ("localhost", "localhost"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("[0:0:0:0:0:0:0:1]", "::1"),
    ])
    func `a host stands for itself`(pattern: String, host: String) throws {
        #expect(try HostPattern(pattern) == .exact(ReferenceIdentity(host: host)))
    }

    private static let malformed = [
        "*", "*.", "**", "*.*", "*.com", "*.com.", "*.localhost", "*com", "*example.com", "a*.example.com",
        "*a.example.com",
        "a.*.example.com", "a.*", "example.*", "*.*.example.com", "**.example.com", "*.example.*", "*..example.com",
        "*.example..com", ".*.example.com", "*.-a.example.com", "*.127.0.0.1", "*.0.0.1", "*.[::1]", "*.::1",
        "https://*.example.com", "*.example.com:443", "*.example.com/", "*.example.com/path", "*.user@example.com",
        "*.example.com?q", " *.example.com", "*.example.com ", "*.example.com\u{0}", "*\u{0}.example.com",
        "*\u{301}.example.com", "*.bücher.example/x", "*.ü@evil.example",
    ]

    @Test(arguments: malformed + ReferenceIdentityTests.malformed.filter { $0 != "*.example.com" })
    func `what is no pattern is an error that names it`(pattern: String) {
        let error = #expect(throws: TrustError.self) { try HostPattern(pattern) }
        #expect(error?.code == .malformedHostPattern)
        #expect(error?.reason.hasPrefix("\"\(pattern)\"") == true)
    }
}
