import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTesting
import Testing

@Suite struct RedactionTests {
    private static let secret = "s3cret"

    /// Everything that Swift prints of a value.
    private static func everything(_ value: Any) -> String {
        var text = "\(value)" + String(reflecting: value)
        dump(value, to: &text)
        return text
    }

    /// Logs as a careless plugin does.
    private struct Logger: PluginType {
        let log: Recorder<String>

        func willSend(_ request: any RequestType, target: any TargetType) {
            log.record(RedactionTests.everything(request))
            log.record("\(request.redactedHeaders)")
            request.cURLDescription { log.record($0) }
        }

        func didReceive(_ result: Result<Response, ProviderError>, target: any TargetType) {
            log.record(RedactionTests.everything(result))
        }
    }

    private static func plugins(_ log: Recorder<String>) -> [any PluginType] {
        [
            AccessTokenPlugin { _ in secret },
            HeaderPlugin(["X-Signature": secret, "X-Open": "visible"], secretHeaders: ["x-signature"]),
            HeaderPlugin(["Cookie": "session=\(secret)", "Proxy-Authorization": secret]),
            Logger(log: log),
        ]
    }

    @Test(arguments: Way.allCases, ["200", "500", "fail"])
    func `no description of anything shows a secret`(_ way: Way, _ path: String) async throws {
        let world = try Way.world()
        let log = Recorder<String>()
        let provider = way.provider(world, plugins: Self.plugins(log))
        let call = world.call(path) {
            $0.authorizationType = .bearer
            $0.validationType = .successCodes
        }
        let results = Recorder<Result<Response, ProviderError>>()
        await withCheckedContinuation { continuation in
            let request = provider.request(call) {
                results.record($0)
                continuation.resume()
            }
            log.record(Self.everything(request))
        }
        let result = try #require(results.events.first)
        log.record(Self.everything(result))
        log.record(Self.everything(provider))
        if case .failure(let error) = result {
            log.record(error.localizedDescription + Self.everything(error.errorUserInfo))
        }
        #expect(log.events.allSatisfy { !$0.contains(Self.secret) })
        #expect(log.events.contains { $0.contains("X-Open: visible") })
        #expect(log.events.contains { $0.contains("X-Signature: <redacted>") })
        #expect(log.events.contains { $0.hasPrefix("$ curl -v") && $0.contains("'X-Open: visible'") })
        #expect(log.events.contains { $0.contains("Authorization: <redacted>") })
        // The twin: the secrets were sent.
        guard way == .network else { return }
        let sent = try #require(world.server.log.requests.first)
        #expect(sent.header("Authorization") == "Bearer \(Self.secret)")
        #expect(sent.header("X-Signature") == Self.secret)
    }

    @Test func `session fields are shown under the request's, and secrets of both are not`() async throws {
        var configuration = SessionConfiguration()
        configuration.headers = ["X-Api-Key": Self.secret, "X-Open": "session"]
        let log = Recorder<String>()
        let provider = EndpointProvider<Call>(
            stubClosure: EndpointProvider.immediatelyStub,
            session: Session(configuration: configuration),
            plugins: [Logger(log: log)]
        )
        _ = try await provider.request(Call("http://h") { $0.headers = ["x-open": "target"] })
        let headers = try #require(log.events.dropFirst().first)
        #expect(headers.contains("X-Api-Key: <redacted>"))
        #expect(headers.contains("target"))
        #expect(!headers.contains("session"))
    }

    @Test func `a URL is shown without its user, its fragment and the values of its query`() async throws {
        let log = Recorder<String>()
        let provider = EndpointProvider<Call>(
            stubClosure: EndpointProvider.immediatelyStub,
            plugins: [Logger(log: log)]
        )
        _ = try await provider.request(
            Call("http://user:\(Self.secret)@h/p?key=\(Self.secret)&\(Self.secret)#\(Self.secret)")
        )
        #expect(log.events.first?.hasPrefix("GET http://h/p?key=<redacted>&<redacted>\n") == true)
        #expect(log.events.allSatisfy { !$0.contains(Self.secret) })
    }

    @Test(
        arguments: [
            ("http://u:s3cret@h/a b", "http://h/a b"), ("http://u:s3/cret@h/", "http://h/"),
            ("http://u:s3?cret@h/", "http://<redacted>?<redacted>"), ("http://u:s3#cret@h/", "http://<redacted>"),
            ("http://u:s3/cret@h:80/a@b", "http://b"), ("u:s3cret@h/a", "h/a"), ("//u:s3cret@h/a", "//h/a"),
            ("http://[::1]:80/a@b", "http://[::1]:80/a@b"), ("http://h:80/a@b", "http://h:80/a@b"),
            ("http://h:/a", "http://h:/a"), ("http://[::1]/a", "http://[::1]/a"), ("v1/a:b@c", "v1/a:b@c"),
        ]
    )
    func `text that is no URL shows no user either`(_ text: String, _ shown: String) {
        let endpoint = Endpoint(
            url: text,
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .get,
            task: .requestPlain,
            httpHeaderFields: nil
        )
        #expect(endpoint.description == "GET \(shown)")
    }

    @Test func `an endpoint shows the names of its fields only`() {
        let endpoint = Endpoint(
            url: "http://u:\(Self.secret)@h/?k=\(Self.secret)",
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .get,
            task: .requestData(Data(Self.secret.utf8)),
            httpHeaderFields: ["Authorization": Self.secret]
        )
        #expect(endpoint.description == "GET http://h/?k=<redacted> with Authorization")
        #expect(!Self.everything(endpoint).contains(Self.secret))
    }
}
