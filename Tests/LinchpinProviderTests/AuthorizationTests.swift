import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTesting
import Synchronization
import Testing

@Suite struct AuthorizationTests {
    private func prepared(_ plugin: any PluginType, _ call: any TargetType) throws -> URLRequest {
        let endpoint = EndpointProvider<MultiTarget>.defaultEndpointMapping(for: MultiTarget(call))
        return plugin.prepare(try endpoint.urlRequest(), target: call)
    }

    @Test(arguments: [
        (AuthorizationType.bearer, "Bearer t0ken"), (.basic, "Basic t0ken"), (.custom("Token"), "Token t0ken"),
    ])
    func `a token is written as the target wants it`(_ type: AuthorizationType, _ expected: String) throws {
        let plugin = AccessTokenPlugin { _ in "t0ken" }
        let call = Call("http://h") { $0.authorizationType = type }
        #expect(try prepared(plugin, call).value(forHTTPHeaderField: "Authorization") == expected)
        let multi = try prepared(plugin, MultiTarget(MultiTarget(call)))
        #expect(multi.value(forHTTPHeaderField: "Authorization") == expected)
    }

    @Test func `a target that needs no token, or is none of those, gets none and nobody is asked`() throws {
        let asked = Recorder<Int>()
        let plugin = AccessTokenPlugin { _ in
            asked.record(1)
            return "t0ken"
        }
        struct Plain: TargetType {
            var baseURL: URL { URL(fileURLWithPath: "/") }
            var path: String { "" }
            var method: HTTPMethod { .get }
            var task: RequestTask { .requestPlain }
            var headers: [String: String]? { nil }
        }
        for target in [Call("http://h"), Plain(), MultiTarget(Plain())] as [any TargetType] {
            #expect(try prepared(plugin, target).value(forHTTPHeaderField: "Authorization") == nil)
        }
        #expect(asked.events.isEmpty)
    }

    @Test func `an empty token sends no field`() throws {
        let call = Call("http://h") { $0.authorizationType = .bearer }
        let request = try prepared(AccessTokenPlugin { _ in "" }, call)
        #expect(request.allHTTPHeaderFields?.keys.contains("Authorization") != true)
    }

    @Test func `what a target says of itself stays and is the only one`() async throws {
        let world = try World()
        let plugins: [any PluginType] = [AccessTokenPlugin { _ in "first" }, AccessTokenPlugin { _ in "second" }]
        let provider = world.provider(plugins: plugins)
        for own in [nil, "Bearer own"] as [String?] {
            let call = world.call {
                $0.authorizationType = .bearer
                $0.headers = own.map { ["authorization": $0] }
            }
            _ = try await provider.request(call)
        }
        let sent = world.server.log.requests.map { $0.headers("Authorization") }
        #expect(sent == [["Bearer first"], ["Bearer own"]])
    }

    @Test func `the token is asked for anew for each request, with the target`() async throws {
        let world = try World()
        let count = Mutex(0)
        let plugin = AccessTokenPlugin { target in
            #expect(target is Call, "the target is handed on unwrapped")
            return "\(target.path)-\(count.withLock { $0 += 1; return $0 })"
        }
        let provider = EndpointProvider<MultiTarget>(session: world.session, plugins: [plugin])
        for path in ["a", "b", "a"] {
            _ = try await provider.request(MultiTarget(world.call(path) { $0.authorizationType = .bearer }))
        }
        let sent = world.server.log.requests.compactMap { $0.header("Authorization") }
        #expect(sent == ["Bearer a-1", "Bearer b-2", "Bearer a-3"])
    }

    @Test(arguments: ["t0ken\n", " t0ken\r\n", "\tt0ken"])
    func `white space around a token is not part of it`(_ token: String) throws {
        let call = Call("http://h") { $0.authorizationType = .bearer }
        let request = try prepared(AccessTokenPlugin { _ in token }, call)
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer t0ken")
        let none = try prepared(AccessTokenPlugin { _ in "\n" }, call)
        #expect(none.value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test(
        arguments: [
            ("headers.Authorization", AccessTokenPlugin { _ in "t0ken\r\nX-Forged: 1" }),
            ("headers.Authorization", AccessTokenPlugin { _ in "t0\u{0}ken" }),
            ("headers.X-A", HeaderPlugin(["X-A": "t0ken\nX-Forged: 1"])),
        ] as [(String, any PluginType)]
    )
    func `a field that cannot be written stops the request`(_ field: String, _ plugin: any PluginType) async throws {
        let world = try World()
        let trace = Recorder<String>()
        let provider = world.provider(plugins: [TraceablePlugin(name: "1", trace: trace), plugin])
        let call = world.call { $0.authorizationType = .bearer }
        let error = await #expect(throws: ProviderError.self) { try await provider.request(call) }
        #expect((error?.underlyingError as? TargetError)?.field == field)
        guard case .urlRequestValidationFailed(.invalidHeader) = error?.sessionError else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(error.map { "\($0)" }?.contains("t0") == false)
        #expect(trace.events == ["prepare 1", "process 1 failed"])
        #expect(world.server.log.connections == 0)
    }

    @Test func `a field whose name is outside ASCII is for stubs only`() async throws {
        let world = try World()
        let call = world.call { $0.headers = ["其他key": "v"] }
        let error = await #expect(throws: ProviderError.self) { try await world.provider().request(call) }
        guard case .urlRequestValidationFailed(.invalidHeader("其他key")) = error?.sessionError else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(world.server.log.connections == 0)
        let stub = EndpointProvider<Call>(stubClosure: EndpointProvider.immediatelyStub)
        let response = try await stub.request(call)
        #expect(response.request?.value(forHTTPHeaderField: "其他key") == "v")
    }

    @Test func `header plugins fill in what a target leaves open`() async throws {
        var configuration = SessionConfiguration()
        configuration.headers = ["X-Session": "session", "X-Client": "session"]
        let world = try World(configuration: configuration)
        let several: HTTPHeaders = {
            var headers: HTTPHeaders = ["X-Client": "plugin", "X-Own": "plugin"]
            headers.append(name: "X-Many", value: "1")
            headers.append(name: "X-Many", value: "2")
            return headers
        }()
        let provider = world.provider(plugins: [
            HeaderPlugin(several), HeaderPlugin { ["X-Path": $0.path, "X-Client": "later plugin"] },
        ])
        _ = try await provider.request(world.call("p") { $0.headers = ["x-own": "target"] })
        let request = try #require(world.server.log.requests.first)
        #expect(request.headers("X-Own") == ["target"])
        #expect(request.headers("X-Client") == ["plugin"])
        #expect(request.headers("X-Session") == ["session"])
        #expect(request.headers("X-Path") == ["p"])
        #expect(request.headers("X-Many").joined(separator: ",") == "1,2")
    }

    @Test func `nothing that a plugin puts in goes along to another origin`() async throws {
        let other = try LocalTLSServer.plain { _ in .text("no", status: 401) }
        let first = try LocalTLSServer.plain { request in
            request.path == "/there" ? .redirect(to: other.url.absoluteString, status: 307) : .text("", status: 401)
        }
        let refreshes = Recorder<Int>()
        let plugins: [any PluginType] = [
            AccessTokenPlugin { _ in "s3cret1" }, HeaderPlugin(["X-Own": "s3cret2", "Cookie": "a=s3cret3"]),
            HeaderPlugin(["X-Signature": "s3cret4"], secretHeaders: ["X-Signature"]), IdempotencyKeyPlugin(),
            CredentialsPlugin { _ in URLCredential(user: "ada", password: "s3cret5", persistence: .none) },
        ]
        let refresh = TokenRefreshPlugin(token: "s3cret6") { _ in
            refreshes.record(1)
            return "s3cret7"
        }
        let signing = RequestSigningPlugin(keyID: "s3cret8", key: Data("s3cret9".utf8))
        for plugins in [plugins, [refresh], [signing]] {
            let call = Call(first.url) {
                $0.path = "there"
                $0.method = .post
                $0.authorizationType = .bearer
            }
            #expect(await EndpointProvider<Call>(plugins: plugins).outcome(of: call).summary == "401 no")
        }
        let raw = String(decoding: other.log.rawBytes, as: UTF8.self)
        #expect(other.log.requests.count == 3 && !raw.contains("s3cret") && !raw.contains("Idempotency"))
        #expect(String(decoding: first.log.rawBytes, as: UTF8.self).contains("s3cret6"))
        // The token was not refused: nobody there saw it.
        #expect(refreshes.events.isEmpty)
        let refused = Call(first.url) { $0.authorizationType = .bearer }
        #expect(await EndpointProvider<Call>(plugins: [refresh]).outcome(of: refused).summary == "401 ")
        #expect(refreshes.events.count == 1)
    }
}
