import LinchpinTrust
import Testing

@Suite struct HostPatternTests {
    private static let wildcards: [(pattern: String, parent: String)] = [
        ("*.example.com", "example.com"), ("*.EXAMPLE.com", "example.com"), ("*.example.com.", "example.com"),
        ("*.a.b.example.com", "a.b.example.com"), ("*.bücher.example", "xn--bcher-kva.example"),
        ("*.my_zone.example.com", "my_zone.example.com"), ("*.XN--BCHER-KVA.example", "xn--bcher-kva.example"),
        // The private section of the list of public suffixes: one operator serves all of these.
        ("*.github.io", "github.io"), ("*.s3.amazonaws.com", "s3.amazonaws.com"),
    ]

    @Test(arguments: wildcards)
    func `a wildcard has one form, whatever its spelling`(pattern: String, parent: String) throws {
        #expect(try HostPattern(pattern).hosts == .oneLabelBelow(parent))
        #expect(try HostPattern("*" + pattern).hosts == .anyDepthBelow(parent))
        #expect(try HostPattern(pattern).description == "*.\(parent)")
        #expect(try HostPattern("*" + pattern).description == "**.\(parent)")
        #expect(try HostPattern(pattern) != HostPattern("*" + pattern))
    }

    @Test(arguments: [
        ("example.com", "example.com"), ("EXAMPLE.COM.", "example.com"), ("bücher.example", "xn--bcher-kva.example"),
        ("localhost", "localhost"), ("com", "com"), ("co.uk", "co.uk"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1"),
        ("[0:0:0:0:0:0:0:1]", "::1"), ("::ffff:127.0.0.1", "::ffff:127.0.0.1"),
    ])
    func `a host stands for itself, on every port`(pattern: String, host: String) throws {
        #expect(try HostPattern(pattern).hosts == .exact(ReferenceIdentity(host: host)))
        #expect(try HostPattern(pattern).port == nil)
        #expect(try HostPattern(pattern).description == host)
    }

    private static let ports: [(pattern: String, host: String, port: Int, canonical: String)] = [
        ("example.com:443", "example.com", 443, "example.com:443"), ("a.example:1", "a.example", 1, "a.example:1"),
        ("EXAMPLE.com.:65535", "example.com", 65_535, "example.com:65535"),
        ("localhost:8443", "localhost", 8_443, "localhost:8443"),
        ("bücher.example:443", "xn--bcher-kva.example", 443, "xn--bcher-kva.example:443"),
        ("127.0.0.1:8443", "127.0.0.1", 8_443, "127.0.0.1:8443"), ("[::1]:443", "::1", 443, "[::1]:443"),
        ("[0:0:0:0:0:0:0:1]:65535", "::1", 65_535, "[::1]:65535"),
    ]

    @Test(arguments: ports.indices)
    func `a host may have a port`(index: Int) throws {
        let (text, host, port, canonical) = Self.ports[index]
        let pattern = try HostPattern(text)
        #expect(try pattern.hosts == .exact(ReferenceIdentity(host: host)))
        #expect(pattern.port == port)
        #expect(pattern.description == canonical)
        #expect(try HostPattern(canonical) == pattern)
    }

    private static let malformed = [
        "*", "*.", "**", "**.", "***", "***.example.com", "*.*", "*.com", "*.com.", "**.com", "*.localhost",
        "**.localhost", "*com", "*example.com", "**example.com", "a*.example.com", "*a.example.com", "a**.example.com",
        "a.*.example.com", "a.*", "a.*.b", "a.**.b", "example.*", "example.**", "*.*.example.com", "**.*.example.com",
        "*.**.example.com", "*.example.*", "*..example.com", "**..example.com", "*.example..com", ".*.example.com",
        "*.-a.example.com", "*.127.0.0.1", "**.127.0.0.1", "*.0.0.1", "*.[::1]", "*.::1", "*.example.com:443",
        "**.example.com:443", "https://*.example.com", "*.example.com/", "*.example.com/path", "*.user@example.com",
        "*.example.com?q", " *.example.com", "*.example.com ", "*.example.com\u{0}", "*\u{0}.example.com",
        "*\u{301}.example.com", "*.bücher.example/x", "*.ü@evil.example", "＊.example.com", "*．com",
        // Ports that are none.
        "example.com:", "example.com:0", "example.com:65536", "example.com:99999999999999999999", "example.com:-1",
        "example.com:+443", "example.com: 443", "example.com:443 ", "example.com:0443", "example.com:https",
        "example.com:443:443", "example.com:\u{661}", "example.com:4\u{301}43", "example.com:443/", ":443",
        "[::1]:", "[::1]:0", "[::1]:x", "[::1]443", "[127.0.0.1]:443", "[localhost]:443", "[]:443", "::1:", "[::1]:1:2",
    ]

    @Test(arguments: malformed)
    func `what is no pattern is an error that names it`(pattern: String) {
        refuse(pattern)
    }

    @Test(arguments: ReferenceIdentityTests.malformed)
    func `what is no host is no pattern, unless it has a port or a wildcard`(host: String) {
        guard !["*.example.com", "example.com:443", "127.0.0.1:80", "[::1]:443", "bücher.example:443"].contains(host)
        else { return }
        refuse(host)
    }

    private func refuse(_ pattern: String) {
        let error = #expect(throws: TrustError.self) { try HostPattern(pattern) }
        #expect(error?.code == .malformedHostPattern)
        #expect(error?.reason.hasPrefix("\"\(pattern)\"") == true)
    }

    private static let remedies: [(pattern: String, words: String)] = [
        ("", "empty"), ("https://example.com", "scheme"), ("example.com/", "path"), ("user@example.com", "user"),
        ("example.com?q", "query"), ("*", "allHostsMustBeEvaluated"), ("**", "allHostsMustBeEvaluated"),
        ("*.com", "public suffix `com`"), ("a.*.b", "`**.example.com` for any depth"), ("a..b", "empty label"),
        ("*.a..b.c", "empty label"), ("*.127.0.0.1", "no subdomains"), ("*.a.example:443", "a port goes with one host"),
        ("example.com:0", "1 to 65535"), ("example.com:", "no colon"), ("127.1", "dotted-decimal"),
    ]

    @Test(arguments: remedies)
    func `the error says what to do`(pattern: String, words: String) {
        let error = #expect(throws: TrustError.self) { try HostPattern(pattern) }
        #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
    }

    @Test(.enabled("libpsl is not installed") { hasPublicSuffixList })
    func `a wildcard below a public suffix of several labels is refused`() throws {
        for suffix in ["co.uk", "com.au", "foo.ck", "CO.UK.", "公司.cn", "xn--55qx5d.cn"] {
            for asterisks in ["*", "**"] {
                let error = #expect(throws: TrustError.self) { try HostPattern("\(asterisks).\(suffix)") }
                #expect(error?.code == .malformedHostPattern)
                #expect(error?.reason.contains("public suffix") == true)
                _ = try HostPattern("\(asterisks).example.\(suffix)")
            }
            _ = try HostPattern(suffix)
        }
    }

    private static var hasPublicSuffixList: Bool { (try? HostPattern("*.co.uk")) == nil }
}
