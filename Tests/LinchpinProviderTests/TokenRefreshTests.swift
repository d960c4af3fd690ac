import Dispatch
import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import Synchronization
import Testing

@Suite struct TokenRefreshTests {
    private struct Refusal: Error {}

    /// A server that accepts the token `new` only.
    private static func world() throws -> World {
        try World { $0.header("Authorization") == "Bearer new" ? .text("secret") : .text("no", status: 401) }
    }

    private static func call(_ world: World, _ change: (inout Call) -> Void = { _ in }) -> Call {
        world.call {
            $0.authorizationType = .bearer
            change(&$0)
        }
    }

    @Test func `a storm of refused requests causes one refresh`() async throws {
        let world = try Self.world()
        let refreshed = Recorder<String?>()
        let plugin = TokenRefreshPlugin(token: "old") { old in
            refreshed.record(old)
            // Until then all of them have the old token.
            _ = await world.server.waitUntil { $0.requests.count >= 50 }
            return "new"
        }
        let provider = world.provider(plugins: [plugin])
        let call = Self.call(world)
        let texts = await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await provider.outcome(of: call).summary } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "200 secret", count: 50))
        #expect(refreshed.events == ["old"])
        #expect(plugin.token == "new")
    }

    @Test func `a late answer to the old token is sent again without another refresh`() async throws {
        let refreshes = Recorder<Int>()
        let plugin = TokenRefreshPlugin(token: "old") { _ in
            refreshes.record(1)
            return "new"
        }
        // Both are asked with the old token; the second is answered after the first has brought a new one.
        let sent = Recorder<String>()
        let stubs = StubbedSession { request in
            let token = request.value(forHTTPHeaderField: "Authorization") ?? "none"
            sent.record(token)
            if token == "Bearer old" { plugin.replaceToken("new") }
            return .networkResponse(token == "Bearer new" ? 200 : 401, Data())
        }
        let provider = EndpointProvider<Call>(answeredBy: stubs, plugins: [plugin])
        let call = Call("http://h") { $0.authorizationType = .bearer }
        #expect(await provider.outcome(of: call).summary == "200 ")
        #expect(sent.events == ["Bearer old", "Bearer new"])
        #expect(refreshes.events.isEmpty)
    }

    @Test func `a request is sent again once only`() async throws {
        let world = try World { _ in .text("no", status: 401) }
        let count = Mutex(0)
        let plugin = TokenRefreshPlugin { _ in "token\(count.withLock { $0 += 1; return $0 })" }
        let trace = Recorder<String>()
        let provider = world.provider(plugins: [TraceablePlugin(name: "1", trace: trace), plugin])
        let call = Self.call(world) { $0.validationType = .successCodes }
        #expect(await provider.outcome(of: call).summary == "refused 401 401")
        #expect(world.server.log.requests.map { $0.header("Authorization") } == [nil, "Bearer token1"])
        #expect(
            trace.events == [
                "prepare 1", "willSend 1 1", "didReceive 1 refused 401 401",
                "prepare 1", "willSend 1 1", "didReceive 1 refused 401 401", "process 1 refused 401 401",
            ]
        )
    }

    @Test(arguments: [false, true])
    func `other targets and tokens are none of its business`(_ hasOwn: Bool) async throws {
        let world = try Self.world()
        let plugin = TokenRefreshPlugin(token: "old") { _ in
            Issue.record("nobody asked for a refresh")
            return "new"
        }
        let call = world.call {
            $0.authorizationType = hasOwn ? .bearer : nil
            $0.headers = hasOwn ? ["Authorization": "Bearer own"] : nil
        }
        #expect(await world.provider(plugins: [plugin]).outcome(of: call).summary == "401 no")
        #expect(world.server.log.requests.map { $0.header("Authorization") } == [hasOwn ? "Bearer own" : nil])
    }

    @Test func `a refresh that fails ends those that waited, and the next one may succeed`() async throws {
        let world = try Self.world()
        let count = Mutex(0)
        let plugin = TokenRefreshPlugin(token: "old") { _ in
            guard
                count.withLock({
                    $0 += 1; return $0
                }) > 1
            else { throw Refusal() }
            return "new"
        }
        let provider = world.provider(plugins: [plugin])
        let error = await #expect(throws: ProviderError.self) { try await provider.request(Self.call(world)) }
        #expect(error?.underlyingError is Refusal)
        #expect(error?.response?.statusCode == 401)
        #expect(await provider.outcome(of: Self.call(world)).summary == "200 secret")
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `a refusal of what was sent before a refresh failed causes no other`() async throws {
        let refreshes = Recorder<Int>()
        let plugin = TokenRefreshPlugin(token: "old") { _ in
            refreshes.record(1)
            throw Refusal()
        }
        let stubs = StubbedSession { _ in .networkResponse(401, Data()) }
        let provider = EndpointProvider<Call>(answeredBy: stubs, plugins: [plugin])
        let call = Call("http://h") { $0.authorizationType = .bearer }
        let queues = (0..<5).map { DispatchQueue(label: "callbacks \($0)") }
        let results = Recorder<Result<Response, ProviderError>>()
        for queue in queues {
            queue.suspend()
            provider.request(call, callbackQueue: queue) { results.record($0) }
        }
        // The answers come one after the other, each after what the one before led to.
        for (number, queue) in queues.enumerated() {
            queue.resume()
            #expect(try await eventually(within: 60) { results.events.count == number + 1 })
        }
        for case .failure(let error) in results.events {
            #expect(error.underlyingError is Refusal && error.response?.statusCode == 401)
        }
        #expect(refreshes.events.count == 1)
        // The twin: what is sent from now on may have more luck.
        #expect(await provider.outcome(of: call).summary != "401 ")
        #expect(refreshes.events.count == 2)
        plugin.replaceToken("other")
        #expect(await provider.outcome(of: call).summary != "401 ")
        #expect(refreshes.events.count == 3)
    }

    @Test func `a request that waits for a refresh can be cancelled, and the refresh goes on`() async throws {
        let world = try Self.world()
        let (begun, ending) = (Recorder<Int>(), Recorder<CheckedContinuation<Void, Never>>())
        let plugin = TokenRefreshPlugin(token: "old") { _ in
            begun.record(1)
            await withCheckedContinuation { ending.record($0) }
            #expect(!Task.isCancelled)
            return "new"
        }
        let trace = Recorder<String>()
        let provider = world.provider(plugins: [TraceablePlugin(name: "1", trace: trace), plugin])
        let results = Recorder<String>()
        let token = provider.request(Self.call(world)) { results.record($0.summary) }
        try #require(try await eventually(within: 60) { ending.events.count == 1 })
        token.cancel()
        #expect(try await eventually { results.events == ["cancelled"] })
        try #require(ending.events.first).resume()
        #expect(try await eventually { plugin.token == "new" })
        #expect(world.server.log.requests.count == 1)
        #expect(results.events == ["cancelled"])
        // One answer for the one request that was sent.
        #expect(trace.events.filter { $0.hasPrefix("didReceive") }.count == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `a refresh that is refused itself does not wait for itself`() async throws {
        let world = try Self.world()
        let providers = Recorder<EndpointProvider<Call>>()
        let plugin = TokenRefreshPlugin(token: "old") { _ in
            let response = try await providers.events[0].request(Self.call(world) { $0.path = "refresh" })
            try response.filterSuccessfulStatusCodes()
            return "new"
        }
        providers.record(world.provider(plugins: [plugin]))
        let error = await #expect(throws: ProviderError.self) {
            try await providers.events[0].request(Self.call(world))
        }
        #expect(error?.response?.statusCode == 401)
        #expect(world.server.log.requests.map(\.path) == ["/", "/refresh"])
    }
}
