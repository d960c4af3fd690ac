import Foundation
import Testing

@testable import LinchpinSession

/// What variables and exclusions say.
@Suite struct ProxiesTests {
    private static func proxy(_ proxies: Proxies, _ url: String) throws -> String? {
        try proxies.proxy(for: ParsedURL(#require(URL(string: url)))).map { "\($0)" }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let environment: [String: String]
        let http: String?
        let https: String?
        var testDescription: String { environment.sorted { $0.key < $1.key }.description }
    }

    @Test(arguments: [
        Row(environment: [:], http: nil, https: nil),
        Row(environment: ["http_proxy": "a.test:3128"], http: "http://a.test:3128", https: nil),
        Row(environment: ["http_proxy": "a.test"], http: "http://a.test:1080", https: nil),
        Row(environment: ["https_proxy": "https://a.test"], http: nil, https: "https://a.test:443"),
        Row(environment: ["HTTPS_PROXY": "http://a.test:8080/"], http: nil, https: "http://a.test:8080"),
        // httpoxy: a CGI program is given it by whoever asks.
        Row(environment: ["HTTP_PROXY": "http://a.test:8080"], http: nil, https: nil),
        Row(
            environment: ["all_proxy": "socks5h://a.test:9", "https_proxy": ""],
            http: "socks5h://a.test:9",
            https: nil
        ),
        Row(environment: ["ALL_PROXY": "socks5://a.test:9"], http: "socks5h://a.test:9", https: "socks5h://a.test:9"),
        Row(
            environment: ["https_proxy": "http://a.test:1", "HTTPS_PROXY": "http://b.test:1"],
            http: nil,
            https: "http://a.test:1"
        ),
        Row(
            environment: ["https_proxy": "http://u%40x:p%3Aw@[::1]:3128"],
            http: nil,
            https: "http://[::1]:3128 with credentials"
        ),
        Row(environment: ["all_proxy": "a.test:1", "no_proxy": "server.test"], http: nil, https: nil),
        Row(environment: ["all_proxy": "a.test:1", "NO_PROXY": "x.test, server.test"], http: nil, https: nil),
        Row(
            environment: ["all_proxy": "a.test:1", "NO_PROXY": "server.test", "no_proxy": ""],
            http: "http://a.test:1",
            https: "http://a.test:1"
        ),
    ])
    func `variables name proxies`(_ row: Row) throws {
        let proxies = try Proxies(environment: row.environment)
        #expect(try Self.proxy(proxies, "http://server.test/") == row.http)
        #expect(try Self.proxy(proxies, "https://server.test/") == row.https)
    }

    @Test func `credentials are decoded`() throws {
        let proxies = try Proxies(environment: ["https_proxy": "http://u%40x:p%3Aw@a.test:1"])
        #expect(proxies.https?.credentials == .init(user: "u@x", password: "p:w"))
    }

    @Test(arguments: [
        "socks4://a.test", "ftp://a.test", "http://", "http://a b", "http://a.test:99999", "http://u%0A:x@a.test",
    ])
    func `a variable that names no proxy is an error without its text`(_ text: String) {
        let error = #expect(throws: SessionError.self) { try Proxies(environment: ["https_proxy": text]) }
        guard case .urlRequestValidationFailed(.unsupportedURL) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: SessionError.self) { try Proxies(environment: ["all_proxy": "http://top:secret@a.test:0x1"]) }
    }

    @Test func `an error about a variable does not repeat its secrets`() {
        let error = #expect(throws: SessionError.self) { try Proxy(url: "gopher://user:topsecret@a.test") }
        #expect(!"\(String(describing: error))".contains("topsecret"))
    }

    struct Exclusion: Sendable, CustomTestStringConvertible {
        let entry: String
        var excluded: [String] = []
        var others: [String] = []
        var testDescription: String { entry }
    }

    @Test(arguments: [
        Exclusion(entry: "*", excluded: ["a.test", "127.0.0.1", "[::1]"]),
        Exclusion(
            entry: "a.test",
            excluded: ["a.test", "A.TEST", "a.test.", "b.a.test", "c.b.a.test:8080"],
            others: ["ba.test", "test", "a.test.b"]
        ),
        Exclusion(entry: ".a.test", excluded: ["a.test", "b.a.test"], others: ["ba.test"]),
        Exclusion(entry: "*.a.test", excluded: ["b.a.test"], others: ["ba.test"]),
        Exclusion(entry: "A.Test.", excluded: ["a.test"], others: ["b.test"]),
        Exclusion(entry: "a.test:8080", excluded: ["a.test:8080"], others: ["a.test", "a.test:81"]),
        Exclusion(entry: "localhost", excluded: ["localhost"], others: ["127.0.0.1"]),
        Exclusion(entry: "127.0.0.1", excluded: ["127.0.0.1", "127.1"], others: ["127.0.0.2", "localhost"]),
        Exclusion(entry: "127.0.0.0/8", excluded: ["127.9.9.9"], others: ["128.0.0.1", "[::1]"]),
        Exclusion(entry: "10.1.16.0/20", excluded: ["10.1.31.255"], others: ["10.1.32.0", "10.1.15.255"]),
        Exclusion(entry: "0.0.0.0/0", excluded: ["8.8.8.8"], others: ["a.test"]),
        Exclusion(entry: "::1", excluded: ["[::1]", "[0:0::1]"], others: ["[::2]"]),
        Exclusion(entry: "[::1]:81", excluded: ["[::1]:81"], others: ["[::1]"]),
        Exclusion(entry: "fe80::/10", excluded: ["[febf::1]"], others: ["[fec0::1]", "1.2.3.4"]),
        Exclusion(entry: "münchen.test", excluded: ["xn--mnchen-3ya.test"], others: ["munchen.test"]),
    ])
    func `an exclusion is a name with what is below it, an address or a network`(_ row: Exclusion) throws {
        let proxies = try Proxies(Proxy(host: "p.test", port: 1), except: [row.entry])
        for host in row.excluded { #expect(try Self.proxy(proxies, "http://\(host)/") == nil, "\(host)") }
        for host in row.others { #expect(try Self.proxy(proxies, "http://\(host)/") != nil, "\(host)") }
    }

    @Test(arguments: [
        "", "a..test", "10.0.0.0/33", "10.0.0.0/x", "10.0.0/8", "a.test/8", "a.test:0", "a.test:x", "1.2.3/8/9", "-",
    ])
    func `an exclusion that is none of these is an error`(_ entry: String) {
        #expect(throws: SessionError.self) { try Proxies(Proxy(host: "p.test", port: 1), except: [entry]) }
    }

    @Test(arguments: [Proxy.Credentials(user: "a:b", password: "c"), .init(user: "a", password: "b\r\nX: y")])
    func `credentials that would be read as others are an error of the request`(_ credentials: Proxy.Credentials) async
    {
        let proxy = Proxy(host: "127.0.0.1", port: 1, credentials: credentials)
        let session = Session(configuration: .with { $0.proxy = proxy })
        let response = await session.request("http://127.0.0.1:1/").serializingData().response
        guard case .urlRequestValidationFailed(.unsupportedURL) = response.error else {
            Issue.record("\(String(describing: response.error))")
            return
        }
    }
}
