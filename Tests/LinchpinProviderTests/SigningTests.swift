import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import Testing

@Suite struct SigningTests {
    private static let key = Data("key".utf8)

    /// The signature by what reached the server, written down from the documentation.
    private static func signature(of request: LocalTLSServer.Request, _ names: String) -> String? {
        let query = (request.query ?? "").split(separator: "&").sorted().joined(separator: "&")
        let fields = names.split(separator: ";").map { name in
            let words = (request.header(String(name)) ?? "none").split(separator: " ")
            return "\(name):\(words.joined(separator: " "))"
        }
        let digest = RequestDigest.sha256(request.body) ?? ""
        let lines = [request.method, request.path, query] + fields + [names, digest]
        return RequestDigest.hmacSHA256(Data(lines.joined(separator: "\n").utf8), key: key)
    }

    /// Lets in what is signed.
    private static func server() throws -> LocalTLSServer {
        try .plain { request in
            let parts = (request.header("Authorization") ?? "").components(separatedBy: "SignedHeaders=")
            let values = (parts.last ?? "").components(separatedBy: ", Signature=")
            guard values.count == 2, signature(of: request, values[0]) == values[1] else {
                return .text("\(request.target) \(request.header("Host") ?? "")", status: 403)
            }
            return .text("signed")
        }
    }

    @Test(arguments: [
        "/", "/a", "/a/../b", "/a/./b", "/../a", "/%2e%2e/a", "/a%2Fb", "/a//b/", "/a b", "/a|b", "/é", "/?b=2&a=1&a=0",
        "/a?", "/a?x", "/a?x=1&&y=2", "/a?x=a/../b", "/a?x=1?2", "/a?x=é{}|", "/a#fragment", "/a?b#c",
    ])
    func `a server can check a signature by what reached it`(_ path: String) async throws {
        let server = try Self.server()
        let provider = EndpointProvider<Call>(plugins: [RequestSigningPlugin(keyID: "k", key: Self.key)])
        let url = try #require(URL(string: server.url.absoluteString.dropLast() + path))
        for method in [HTTPMethod.get, .post] {
            let call = Call(url) {
                $0.method = method
                if method == .post { $0.task = .requestData(Data("body".utf8)) }
                $0.headers = ["Content-Type": " text/plain;  charset=utf-8 "]
            }
            #expect(await provider.outcome(of: call).summary == "200 signed")
        }
    }

    @Test(
        arguments: [
            ("LOCALHOST", nil), ("127.0.0.1", nil), ("user:password@localhost", nil), ("localhost", "other.example"),
            ("localhost", "other.example:80"),
        ] as [(String, String?)]
    )
    func `the host that is signed is the one that is sent`(_ host: String, _ own: String?) async throws {
        let server = try Self.server()
        let provider = EndpointProvider<Call>(plugins: [RequestSigningPlugin(keyID: "k", key: Self.key)])
        let url = try #require(URL(string: "http://\(host):\(server.port)/a"))
        let call = Call(url) { if let own { $0.headers = ["Host": own] } }
        #expect(await provider.outcome(of: call).summary == "200 signed")
    }

    @Test func `an address of IPv6 is signed as it is sent`() async throws {
        let server = try LocalTLSServer.plain(configuration: .init(address: .ipv6)) { request in
            .text(request.header("Host") ?? "")
        }
        let target = try #require(WireTarget(server.url))
        #expect(await EndpointProvider<Call>().outcome(of: Call(server.url)).summary == "200 \(target.host)")
    }

    @Test(arguments: [
        ("http://h", "h"), ("http://h:80/", "h"), ("https://h:443/", "h"), ("https://h:80/", "h:80"),
        ("https://[::1]:443/", "[::1]"), ("https://b\u{fc}cher.example/", "xn--bcher-kva.example"),
    ])
    func `a port that is the scheme's own is not in the host`(_ url: String, _ host: String) throws {
        let target = try #require(URL(string: url).flatMap(WireTarget.init))
        #expect(target.host == host)
        #expect(target.path == "/")
    }

    @Test func `a body that an endpoint closure puts beside the request is not signed as none`() async throws {
        let directory = try TemporaryDirectory()
        let file = URL(fileURLWithPath: directory.path(of: "file"))
        try Data("body".utf8).write(to: file)
        let server = try Self.server()
        for task in [RequestTask.uploadFile(file), .requestPlain] {
            let provider = EndpointProvider<Call>(
                endpointClosure: { EndpointProvider<Call>.defaultEndpointMapping(for: $0).replacing(task: task) },
                plugins: [RequestSigningPlugin(keyID: "k", key: Self.key)]
            )
            let summary = await provider.outcome(of: Call(server.url) { $0.method = .post }).summary
            if case .requestPlain = task { #expect(summary == "200 signed") } else { #expect(summary == "failed") }
        }
        #expect(server.log.requests.count == 1)
    }
}
