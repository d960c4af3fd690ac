import LinchpinTesting
import LinchpinTrust
import Testing

/// Which hosts a certificate speaks for (RFC 9525 §6).
@Suite struct HostValidationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let host: String
        let names: [CertificateName]
        let commonName: String?

        init(_ host: String, _ names: [CertificateName], commonName: String? = nil) {
            self.host = host
            self.names = names
            self.commonName = commonName
        }

        var testDescription: String {
            let shown = names.map(\.description).joined(separator: ", ")
            return "\(host) for \(shown.isEmpty ? "no names" : shown)" + (commonName.map { ", CN=\($0)" } ?? "")
        }
    }

    private static let accepted = [
        Case("api.example.com", ["api.example.com"]),
        Case("API.Example.COM", ["api.example.com"]),
        Case("api.example.com", ["API.EXAMPLE.com"]),
        Case("api.example.com.", ["api.example.com"]),
        Case("api.example.com", ["other.example", "127.0.0.1", "api.example.com"]),
        Case("api.example.com", ["api.example.com"], commonName: "other.example"),
        Case("localhost", ["localhost"]),
        Case("my_host.example.com", ["my_host.example.com"]),
        Case("api.example.com", ["*.example.com"]),
        Case("API.example.com.", ["*.EXAMPLE.com"]),
        Case("a.b.example.com", ["*.b.example.com"]),
        Case("bücher.example", ["xn--bcher-kva.example"]),
        Case("BÜCHER.example", ["XN--BCHER-KVA.example"]),
        Case("bücher.example.com", ["*.example.com"]),
        Case("api.bücher.example", ["*.xn--bcher-kva.example"]),
        Case("127.0.0.1", ["127.0.0.1"]),
        Case("127.0.0.1.", ["localhost", "127.0.0.1"]),
        Case("::1", ["::1"]),
        Case("[::1]", ["::1"]),
        Case("0:0:0:0:0:0:0:1", ["::1"]),
        Case("[0000:0:0:0:0:0:0:0001]", ["::1"]),
        Case("2001:DB8::A", ["2001:db8::a"]),
        Case("::ffff:127.0.0.1", ["::ffff:127.0.0.1"]),
    ]

    private static let refused = [
        // Another name.
        Case("api.example.com", ["www.example.com"]),
        Case("api.example.com", ["example.com"]),
        Case("api.example.com", ["api.example.com.evil.example"]),
        Case("api.example.com", ["xapi.example.com"]),
        Case("api.example.com", ["pi.example.com"]),
        Case("api.example.com", [".example.com"]),
        Case("api.example.com", ["api.example.co"]),
        Case("bücher.example", ["bucher.example"]),
        // Names with a trailing dot are not in the form that certificates have.
        Case("api.example.com", ["api.example.com."]),
        Case("api.example.com", ["*.example.com."]),
        // One whole left-most label, and no other place for a wildcard.
        Case("a.b.example.com", ["*.example.com"]),
        Case("example.com", ["*.example.com"]),
        Case("xexample.com", ["*.example.com"]),
        Case("api.example.com.evil.example", ["*.example.com"]),
        Case("api.example.com", ["a*.example.com"]),
        Case("api.example.com", ["*i.example.com"]),
        Case("api.example.com", ["a*i.example.com"]),
        Case("foo.example.com", ["f*.example.com"]),
        Case("foo.example.com", ["*oo.example.com"]),
        Case("xn--bcher-kva.example.com", ["xn--*.example.com"]),
        Case("api.example.com", ["*.*.com"]),
        Case("a.api.example.com", ["*.*.example.com"]),
        Case("a.api.example.com", ["a.*.example.com"]),
        Case("api.example.com", ["api.*.com"]),
        Case("api.example.com", ["api.example.*"]),
        Case("api.example.com", ["**.example.com"]),
        Case("example.com", ["*.com"]),
        Case("localhost", ["*"]),
        Case("example.com", ["*"]),
        Case("api.example.com", ["*"]),
        // An underscore is in no host name of RFC 1123, and a wildcard stands for no other.
        Case("my_host.example.com", ["*.example.com"]),
        // The common name never counts.
        Case("api.example.com", [], commonName: "api.example.com"),
        Case("api.example.com", ["127.0.0.1"], commonName: "api.example.com"),
        Case("api.example.com", [.email("a@api.example.com")], commonName: "api.example.com"),
        Case("api.example.com", [.uri("https://api.example.com/")], commonName: "api.example.com"),
        Case("api.example.com", ["www.example.com"], commonName: "api.example.com"),
        Case("api.example.com", [], commonName: "*.example.com"),
        Case("127.0.0.1", [], commonName: "127.0.0.1"),
        Case("::1", [], commonName: "::1"),
        Case("localhost", [], commonName: "localhost"),
        // Names of other kinds.
        Case("api.example.com", [.email("api.example.com")]),
        Case("api.example.com", [.uri("api.example.com")]),
        // An address matches only an address.
        Case("127.0.0.1", [.dns("127.0.0.1")]),
        Case("127.0.0.1", [.dns("*.0.0.1")]),
        Case("127.0.0.1", [.dns("*")]),
        Case("127.0.0.1", [.uri("https://127.0.0.1/")]),
        Case("127.0.0.1", ["127.0.0.2"]),
        Case("127.0.0.1", ["::ffff:127.0.0.1"]),
        Case("::ffff:127.0.0.1", ["127.0.0.1"]),
        Case("::1", [.dns("::1")]),
        Case("::1", [.dns("[::1]")]),
        Case("::1", ["::2"]),
        Case("::1", ["127.0.0.1"]),
        Case("127.0.0.1", [.rawIP([127, 0, 0])]),
        Case("127.0.0.1", [.rawIP([127, 0, 0, 1, 0])]),
        Case("127.0.0.1", [.rawIP([])], commonName: "none"),
        Case("127.0.0.1", [.rawIP(Array("127.0.0.1".utf8))]),
        // A name matches no address of the same octets.
        Case("abcd", [.rawIP(Array("abcd".utf8))]),
        // A NUL ends nothing.
        Case("api.example.com", [.rawDNS(Array("api.example.com\0".utf8))]),
        Case("api.example.com", [.rawDNS(Array("api.example.com\0.evil.example".utf8))]),
        Case("api.example.com", [.rawDNS(Array("\0api.example.com".utf8))]),
        Case("api.example.com", [.rawDNS(Array("*.example.com\0.evil.example".utf8))]),
        // Bytes beyond ASCII are no host name, even where they spell the same.
        Case("bücher.example", [.rawDNS(Array("bücher.example".utf8))]),
        Case("kelvin.example", [.rawDNS(Array("\u{212A}elvin.example".utf8))]),
        Case("api.example.com", [.rawDNS([])], commonName: "none"),
    ]

    private func refusal(_ test: Case) throws -> TrustError? {
        let identity = try LocalCertificateAuthority.selfSigned(
            test.names,
            commonName: test.commonName,
            validity: .atNoon
        )
        let evaluator = DefaultTrustEvaluator(roots: .certificates([identity.certificate]))
        return try LinchpinTrustTests.refusal(by: evaluator, of: identity.chain, host: test.host)
    }

    @Test(arguments: accepted)
    func `a certificate for the host is accepted`(test: Case) throws {
        #expect(try refusal(test) == nil)
    }

    @Test(arguments: refused)
    func `a certificate that is not for the host is refused`(test: Case) throws {
        let error = try refusal(test)
        #expect(error?.code == .hostMismatch)
        // The twin: the same certificate where the host does not have to be in it.
        let identity = try LocalCertificateAuthority.selfSigned(
            test.names,
            commonName: test.commonName,
            validity: .atNoon
        )
        let twin = DefaultTrustEvaluator(validateHost: false, roots: .certificates([identity.certificate]))
        #expect(try LinchpinTrustTests.refusal(by: twin, of: identity.chain, host: test.host) == nil)
    }

    @Test func `the error names the host and what the certificate is for`() throws {
        let error = try #require(try refusal(Case("api.example.com", ["www.example.com", "127.0.0.1"])))
        for word in ["api.example.com", "DNS:www.example.com", "IP:127.0.0.1"] {
            #expect(error.description.contains(word))
        }
    }
}
