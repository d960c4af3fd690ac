import LinchpinTrust
import Testing

@Suite struct ReferenceIdentityTests {
    private static let longLabel = String(repeating: "a", count: 63)
    /// Four labels, 253 characters in all.
    private static let longName = [longLabel, longLabel, longLabel, String(repeating: "b", count: 61)]
        .joined(separator: ".")

    private static let hosts: [(host: String, canonical: String)] = [
        ("example.com", "example.com"), ("EXAMPLE.com", "example.com"), ("example.com.", "example.com"),
        ("EXAMPLE.COM.", "example.com"), ("localhost", "localhost"), ("localhost.", "localhost"),
        ("my_host.example.com", "my_host.example.com"), ("_dmarc.example.com", "_dmarc.example.com"),
        ("1.example.com", "1.example.com"), ("127.0.0.1.example.com", "127.0.0.1.example.com"),
        ("a--b.example.com", "a--b.example.com"), ("3com.example", "3com.example"), ("example.com1", "example.com1"),
        (longLabel + ".example", longLabel + ".example"), (longName, longName), (longName + ".", longName),
        ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("XN--BCHER-KVA.EXAMPLE", "xn--bcher-kva.example"),
        ("bücher.example.", "xn--bcher-kva.example"), ("bu\u{308}cher.example", "xn--bcher-kva.example"),
        ("例え.テスト", "xn--r8jz45g.xn--zckzah"), ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
        ("faß.example", "xn--fa-hia.example"), ("ｅｘａｍｐｌｅ.com", "example.com"),
        // The Kelvin sign is one of two characters whose lower case is the ASCII letter.
        ("\u{212A}elvin.example", "kelvin.example"),
        // Characters that stand for nothing, and digits of another width.
        ("\u{200B}example.com", "example.com"), ("exam\u{AD}ple.com", "example.com"), ("１２７.0.0.1", "127.0.0.1"),
        ("127.0.0.1", "127.0.0.1"), ("127.0.0.1.", "127.0.0.1"), ("255.255.255.255", "255.255.255.255"),
        ("0.0.0.0", "0.0.0.0"), ("::1", "::1"), ("[::1]", "::1"), ("0:0:0:0:0:0:0:1", "::1"),
        ("[0:0:0:0:0:0:0:1]", "::1"), ("0000:0000:0000:0000:0000:0000:0000:0001", "::1"), ("::", "::"),
        ("2001:DB8::A", "2001:db8::a"), ("[2001:db8:0:0::a]", "2001:db8::a"), ("::ffff:127.0.0.1", "::ffff:127.0.0.1"),
        ("::FFFF:7F00:1", "::ffff:127.0.0.1"),
    ]

    @Test(arguments: hosts)
    func `a host has one form, whatever its spelling`(host: String, canonical: String) throws {
        let identity = try ReferenceIdentity(host: host)
        #expect(identity.description == canonical)
        #expect(try identity == ReferenceIdentity(host: canonical))
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("[::1]", true), ("::1", true), ("localhost", false), ("127.0.0.1.example", false),
    ])
    func `addresses are told from names`(host: String, isAddress: Bool) throws {
        switch try ReferenceIdentity(host: host) {
        case .ip: #expect(isAddress)
        case .dns: #expect(!isAddress)
        }
    }

    @Test func `an address within another is not the same`() throws {
        #expect(try ReferenceIdentity(host: "::ffff:127.0.0.1") != ReferenceIdentity(host: "127.0.0.1"))
    }

    /// Hosts that are none, for each reason that there is.
    static let malformed = [
        // Nothing, and labels of nothing.
        "", ".", "..", ".example.com", "example..com", "example.com..", "..example.com", "a..b.example.com",
        // What belongs to a URL but not to its host.
        "https://example.com", "https://example.com/", "//example.com", "example.com/", "example.com/path",
        "example.com:443", "example.com:", "127.0.0.1:80", "[::1]:443", "user@example.com", "example.com?q",
        "example.com#f",
        "example.com\\path", "example.com;x", "a,b",
        // The same around characters beyond ASCII, where another parser is at work.
        "bücher.example/path", "bücher.example:443", "bücher.example:", "bü@example.com", "bücher@evil.example",
        "user:pässword@example.com", "bücher.example?q", "bücher.example#f", "bücher.example\\path", "#ü", "ü/",
        "bü@\u{301}evil.example", "bücher.example/\u{301}x", "ü\r.example", "ü\u{10}.example",
        "bücher..example", ".bücher.example", "bücher.example..", "bü cher.example", "bücher.example\u{0}",
        "b%C3%BCcher.example", "bücher%2eexample", "[ü]", "ü[", "bücher.example。。", "。bücher.example",
        // Full-width forms of the same: `/`, `:`, `@`, `%`, `1`.
        "example.com\u{FF0F}path", "example.com\u{FF1A}443", "user\u{FF20}example.com", "example\u{FF05}2ecom",
        "a\u{2100}b.example", "\u{FF11}\u{FF12}\u{FF17}.1",
        // Space, control characters and NUL.
        " ", " example.com", "example.com ", "exa mple.com", "example.com\n", "example.com\r\n", "\texample.com",
        "example.com\u{0}", "example.com\u{0}.evil.example", "\u{0}", "example\u{7F}.com", "example.com\u{1}",
        "\u{200B}example.com\u{0}", "example\u{AD}.com/",
        // Characters that no host name has.
        "exa*mple.com", "*", "*.example.com", "exa$mple.com", "exa%6dple.com", "(example)", "example.com!", "'a'",
        "\"a\"",
        "a<b", "a{b", "a|b", "a^b", "a`b", "a~b", "a+b", "a=b", "a&b",
        // Hyphens at the edge of a label, and labels and names that are too long.
        "-example.com", "example-.com", "a.-b.com", "-", "a.-",
        longLabel + "a.example", "example." + longLabel + "a", longName + "b", longName + "b.",
        // Numbers that other parsers take for addresses.
        "2130706433", "0x7f000001", "0X7F000001", "017700000001", "127.1", "127.0.1", "127.0.0.01", "127.0.0.256",
        "1.2.3.4.5",
        "127.0.0.0x1", "0x7f.0.0.1", "example.1", "example.0x1", "1", "256.256.256.256", "127.0.0.-1", "１２７.1",
        "0127.0.0.1", "127.0.0.1..", "٣.٣.٣.٣",
        // IPv6 that is none, zones, brackets that do not close.
        ":", "::1::", ":::", "1::2::3", "::g", "12345::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1%eth0",
        "fe80::1%25eth0",
        "[fe80::1%eth0]", "[::1", "::1]", "[]", "[", "]", "[[::1]]", "[127.0.0.1]", "[localhost]", "[::1] ", " [::1]",
        "::1\u{0}", "[::1\u{0}]", "::1\u{0}.evil.example", "[::1\u{0}.evil.example]", "::ffff:127.0.0.256", "::1.",
        "[::1].",
        "[v1.x]", "::1/128", "::127.1",
    ]

    @Test(arguments: malformed)
    func `what is no host is an error`(host: String) {
        let error = #expect(throws: TrustError.self) { try ReferenceIdentity(host: host) }
        #expect(error?.code == .malformedHost)
    }
}
