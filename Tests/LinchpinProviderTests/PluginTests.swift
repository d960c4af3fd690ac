import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import Synchronization
import Testing

@Suite struct PluginTests {
    private func request(_ plugin: any PluginType, _ change: @escaping (inout Call) -> Void) async throws -> URLRequest
    {
        let stubs = StubbedSession { _ in .networkResponse(200, Data()) }
        _ = try await EndpointProvider<Call>(answeredBy: stubs, plugins: [plugin])
            .request(Call("http://h:8080/a%20b?z=1&a=2", change))
        return try #require(stubs.requests.first)
    }

    @Test func `a call keeps its idempotency key and the next has another`() async throws {
        let sent = Recorder<String?>()
        let stubs = StubbedSession { request in
            sent.record(request.value(forHTTPHeaderField: "Idempotency-Key"))
            let isNew = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            return .networkResponse(isNew ? 200 : 401, Data())
        }
        let plugins: [any PluginType] = [IdempotencyKeyPlugin(), TokenRefreshPlugin(token: "old") { _ in "new" }]
        let provider = EndpointProvider<Call>(answeredBy: stubs, plugins: plugins)
        let post = Call("http://h") {
            $0.method = .post
            $0.authorizationType = .bearer
        }
        for _ in 0..<2 { _ = try await provider.request(post) }
        _ = try await provider.request(Call("http://h"))
        let keys = sent.events
        #expect(keys.count == 4)
        #expect(keys[0] != nil && keys[0] == keys[1])
        #expect(keys[2] != nil && keys[2] != keys[0])
        #expect(keys[3] == nil)
        let own = try await request(IdempotencyKeyPlugin(header: "X-Key", methods: [.put])) {
            $0.method = .put
            $0.headers = ["x-key": "own"]
        }
        #expect(own.value(forHTTPHeaderField: "X-Key") == "own")
    }

    @Test(arguments: [
        ["X-A: a\r\nX-B: b"], ["X-A: a\n"], ["X-A: \0"], ["X-A: good", "X-A: a\nb"], ["X A: v"], ["X-A\n: v"], [": v"],
        ["X-Good: good", "\u{e9}: v"],
    ])
    func `no request goes out without a field that it needs`(_ fields: [String]) async throws {
        var headers = HTTPHeaders()
        for field in fields {
            let parts = field.components(separatedBy: ": ")
            headers.append(name: parts[0], value: parts.dropFirst().joined(separator: ": "))
        }
        await #expect(throws: ProviderError.self) { try await request(HeaderPlugin(headers)) { _ in } }
        let sendable = try await request(HeaderPlugin(["X-A": "\u{e9}", "X-Empty": ""])) { _ in }
        #expect(sendable.value(forHTTPHeaderField: "X-A") == "\u{e9}")
        #expect(sendable.value(forHTTPHeaderField: "X-Empty") == "")
    }

    @Test(arguments: ["", "X Key", "X-Key: a\r\nX-Other"])
    func `a key's field that cannot be sent ends the request`(_ name: String) async throws {
        await #expect(throws: ProviderError.self) {
            try await request(IdempotencyKeyPlugin(header: name)) { $0.method = .post }
        }
    }

    @Test func `a time-out of a plugin ends the request`() async throws {
        let world = try World { _ in .fault(.hold) }
        let provider = world.provider(plugins: [TimeoutPlugin { $0.path == "slow" ? Timeouts(request: 0.1) : nil }])
        let error = await #expect(throws: ProviderError.self) { try await provider.request(world.call("slow")) }
        #expect(error?.sessionError?.isTimeout == true)
    }

    @Test(arguments: ["200", "500", "fail", "hold", "unsendable"])
    func `activity that began ends, whatever happens`(_ path: String) async throws {
        let world = try World { request in
            if request.path == "/hold" { return .fault(.hold) }
            return Int(request.path.dropFirst()).map { .text("body", status: $0) } ?? .fault(.close)
        }
        let changes = Recorder<NetworkActivityChangeType>()
        let provider = world.provider(plugins: [
            NetworkActivityPlugin { change, _ in changes.record(change) },
            HeaderPlugin { _ in path == "unsendable" ? ["X-A": "a\nb"] : [:] },
        ])
        let results = Recorder<String>()
        let call = world.call(path) { $0.validationType = .successCodes }
        let token = provider.request(call) { results.record($0.summary) }
        if path == "hold" { token.cancel() }
        #expect(try await eventually { results.events.count == 1 })
        #expect(changes.events == (path == "unsendable" ? [] : [.began, .ended]))
    }

    @Test func `a signature covers what the server sees`() async throws {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let plugin = RequestSigningPlugin(keyID: "k1", key: Data("key".utf8)) { now }
        let change: @Sendable (inout Call) -> Void = {
            $0.method = .post
            $0.task = .requestData(Data("body".utf8))
            $0.headers = ["Content-Type": "text/plain;  charset=utf-8", "X-Other": "1"]
        }
        let signed = try await request(plugin, change)
        #expect(signed.value(forHTTPHeaderField: "X-Date") == "20231114T221320Z")
        let digest = "230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5"
        #expect(signed.value(forHTTPHeaderField: "X-Content-SHA256") == digest)
        // Computed apart, over the lines that the documentation names.
        #expect(
            signed.value(forHTTPHeaderField: "Authorization")
                == "HMAC-SHA256 Credential=k1, SignedHeaders=content-type;host;x-content-sha256;x-date, "
                + "Signature=efc540139b1cd678933b530656f4c2c48491b1f300c38266e46fc5a4895ba217"
        )
        let changes: [@Sendable (inout Call) -> Void] = [
            { $0.method = .put }, { $0.task = .requestData(Data("Body".utf8)) }, { $0.path = "other" },
            { $0.headers?["Content-Type"] = "text/html" },
            { $0.task = .requestCompositeData(bodyData: Data("body".utf8), urlParameters: ["b": 1]) },
        ]
        for second in changes {
            let other = try await request(plugin) {
                change(&$0)
                second(&$0)
            }
            #expect(
                other.value(forHTTPHeaderField: "Authorization") != signed.value(forHTTPHeaderField: "Authorization")
            )
        }
    }

    @Test func `without a key nothing is sent, and the key is never shown`() async {
        let plugin = RequestSigningPlugin(keyID: "k1", key: Data())
        await #expect(throws: ProviderError.self) { try await request(plugin) { _ in } }
        var text = ""
        let secret = RequestSigningPlugin(keyID: "k1", key: Data("s3cret".utf8))
        dump(secret, to: &text)
        #expect(!"\(text) \(secret)".contains("s3cret") && !text.contains("6 bytes"))
    }
}
