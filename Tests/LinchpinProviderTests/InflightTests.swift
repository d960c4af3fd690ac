import Dispatch
import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import Synchronization
import Testing

@Suite struct InflightTests {
    private static let key = DispatchSpecificKey<String>()

    /// Keeps the callbacks of request closures until it is opened.
    private final class Gate: Sendable {
        private struct State {
            var isOpen = false
            var waiting: [@Sendable () -> Void] = []
        }

        private let state = Mutex(State())

        var count: Int { state.withLock { $0.waiting.count } }

        func pass(_ work: @escaping @Sendable () -> Void) {
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(work) }
                return state.isOpen
            }
            if isOpen { work() }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for work in waiting { work() }
        }

        func provider(
            _ session: Session = Session(),
            stub: StubBehavior = .never,
            plugins: [any PluginType] = []
        ) -> EndpointProvider<Call> {
            EndpointProvider(
                requestClosure: { endpoint, done in
                    self.pass { EndpointProvider<Call>.defaultRequestMapping(for: endpoint, closure: done) }
                },
                stubClosure: { _ in stub },
                session: session,
                plugins: plugins,
                trackInflights: true
            )
        }
    }

    @Test func `equal requests under way are sent once and answer every caller`() async throws {
        let world = try World()
        let gate = Gate()
        let trace = Recorder<String>()
        let provider = gate.provider(world.session, plugins: [TraceablePlugin(name: "1", trace: trace)])
        let results = Recorder<String>()
        for _ in 0..<5 { provider.request(world.call()) { results.record($0.summary) } }
        #expect(gate.count == 1)
        gate.open()
        #expect(try await eventually { results.events.count == 5 })
        #expect(Set(results.events) == ["200 hello1"])
        #expect(world.server.log.requests.count == 1)
        for step in ["prepare", "willSend", "didReceive"] {
            #expect(trace.events.filter { $0.hasPrefix(step) }.count == 1)
        }
        #expect(trace.events.filter { $0.hasPrefix("process") }.count == 5)
        // The next one is a new request.
        #expect(await provider.outcome(of: world.call()).summary == "200 hello1")
        #expect(world.server.log.requests.count == 2)
    }

    @Test func `without tracking every request is sent`() async throws {
        let world = try World()
        let provider = world.provider()
        let results = Recorder<String>()
        for _ in 0..<3 { provider.request(world.call()) { results.record($0.summary) } }
        #expect(try await eventually { results.events.count == 3 })
        #expect(world.server.log.requests.count == 3)
    }

    @Test(
        arguments: [
            { $0.path = "other" }, { $0.method = .delete }, { $0.headers = ["X-A": "1"] },
            { $0.task = .requestParameters(parameters: ["a": 1], encoding: URLEncoding.default) },
            { $0.validationType = .successCodes }, { $0.authorizationType = .bearer },
        ] as [@Sendable (inout Call) -> Void]
    )
    func `requests that differ in anything are not one`(_ change: @Sendable (inout Call) -> Void) {
        let gate = Gate()
        let provider = gate.provider(stub: .immediate)
        let results = Recorder<String>()
        provider.request(Call("http://h")) { results.record($0.summary) }
        provider.request(Call("http://h", change)) { results.record($0.summary) }
        #expect(gate.count == 2)
        gate.open()
        #expect(results.events.count == 2)
    }

    /// What one user may see; the user is nowhere in the request before the plugins.
    private struct Account: TargetType, AccessTokenAuthorizable {
        let user: String
        let baseURL = URL(fileURLWithPath: "/")
        let path = ""
        let method = HTTPMethod.get
        let task = RequestTask.requestPlain
        let headers: [String: String]? = nil
        let authorizationType: AuthorizationType? = .bearer
    }

    @Test(arguments: [0, 1, 2])
    func `what one user may see does not answer another`(_ way: Int) async throws {
        @Sendable func user(_ target: any TargetType) -> String { (target as? Account)?.user ?? "" }
        let plugins: [any PluginType] = [
            AccessTokenPlugin { user($0) },
            HeaderPlugin(secretHeaders: ["x-user"]) { ["X-User": user($0), "X-Number": UUID().uuidString] },
            CredentialsPlugin { URLCredential(user: user($0), password: "p", persistence: .none) },
        ]
        let queue = DispatchQueue(label: "callbacks")
        let stubs = StubbedSession { _ in .networkResponse(200, Data()) }
        let provider = EndpointProvider<MultiTarget>(
            answeredBy: stubs,
            callbackQueue: queue,
            plugins: [plugins[way]],
            trackInflights: true
        )
        let results = Recorder<String>()
        queue.suspend()
        for user in ["ada", "bob", "ada"] {
            provider.request(MultiTarget(Account(user: user))) { results.record($0.summary) }
        }
        queue.resume()
        #expect(try await eventually(within: 60) { results.events.count == 3 })
        // The twin: one user's equal requests are still one.
        #expect(stubs.requests.count == 2)
    }

    @Test func `a caller that cancels leaves the others alone`() async throws {
        let world = try World()
        let gate = Gate()
        let trace = Recorder<String>()
        let provider = gate.provider(world.session, plugins: [TraceablePlugin(name: "1", trace: trace)])
        let results = (0..<3).map { _ in Recorder<String>() }
        let tokens = results.map { results in provider.request(world.call()) { results.record($0.summary) } }
        tokens[0].cancel()
        tokens[0].cancel()
        #expect(try await eventually { results[0].events == ["cancelled"] })
        #expect(tokens.map(\.isCancelled) == [true, false, false])
        gate.open()
        #expect(try await eventually { results[1].events == ["200 hello1"] && results[2].events == ["200 hello1"] })
        tokens[1].cancel()
        #expect(results.map(\.events.count) == [1, 1, 1])
        #expect(trace.events.filter { $0.hasPrefix("didReceive") } == ["didReceive 1 200 hello"])
    }

    @Test func `the last caller that cancels ends the transfer`() async throws {
        let world = try World { _ in .fault(.hold) }
        let trace = Recorder<String>()
        let provider = EndpointProvider<Call>(
            session: world.session,
            plugins: [TraceablePlugin(name: "1", trace: trace)],
            trackInflights: true
        )
        let results = Recorder<String>()
        let tokens = (0..<2).map { _ in provider.request(world.call()) { results.record($0.summary) } }
        #expect(await world.server.waitUntil { $0.requests.count == 1 })
        for token in tokens { token.cancel() }
        #expect(try await eventually { results.events == ["cancelled", "cancelled"] })
        #expect(trace.events.filter { $0.hasPrefix("didReceive") } == ["didReceive 1 cancelled"])
    }

    @Test(arguments: [true, false])
    func `a request that never was leaves nothing behind`(_ isCancelled: Bool) async throws {
        let attempts = Mutex(0)
        let kept = Recorder<@Sendable (Result<URLRequest, ProviderError>) -> Void>()
        let provider = EndpointProvider<Call>(
            requestClosure: { endpoint, done in
                guard
                    attempts.withLock({
                        $0 += 1; return $0
                    }) == 1
                else {
                    return EndpointProvider<Call>.defaultRequestMapping(for: endpoint, closure: done)
                }
                if isCancelled { kept.record(done) } else { done(.failure(.requestMapping("x"))) }
            },
            stubClosure: EndpointProvider.immediatelyStub,
            trackInflights: true
        )
        let first = Recorder<String>()
        let token = provider.request(Call("http://h")) { first.record($0.summary) }
        if isCancelled { token.cancel() }
        #expect(try await eventually { first.events.count == 1 })
        #expect(first.events == [isCancelled ? "cancelled" : "requestMapping"])
        #expect(await provider.outcome(of: Call("http://h")).summary == "200 sample")
    }

    @Test func `every caller is called on its own queue`() async throws {
        let gate = Gate()
        let provider = gate.provider(stub: .immediate)
        let results = Recorder<String>()
        for name in ["a", "b", "c"] {
            let queue = DispatchQueue(label: name)
            queue.setSpecific(key: Self.key, value: name)
            provider.request(Call("http://h"), callbackQueue: queue) { _ in
                results.record(DispatchQueue.getSpecific(key: Self.key) ?? "none")
            }
        }
        gate.open()
        #expect(try await eventually { results.events.count == 3 })
        #expect(Set(results.events) == ["a", "b", "c"])
    }

    @Test func `callers that come around an answer are each called once`() async throws {
        let sent = Mutex(0)
        let provider = EndpointProvider<Call>(
            endpointClosure: { target in
                Endpoint(
                    url: "http://h",
                    sampleResponseClosure: {
                        .networkResponse(200, Data("\(sent.withLock { $0 += 1; return $0 })".utf8))
                    },
                    method: .get,
                    task: .requestPlain,
                    httpHeaderFields: nil
                )
            },
            stubClosure: { _ in .delayed(seconds: 0.0005) },
            callbackQueue: DispatchQueue(label: "callbacks", attributes: .concurrent),
            trackInflights: true
        )
        let rounds = 200
        let results = (0..<rounds).map { _ in Recorder<String>() }
        await withTaskGroup { group in
            for round in 0..<rounds {
                group.addTask {
                    for caller in 0..<20 {
                        let token = provider.request(Call("http://h")) { results[round].record($0.summary) }
                        if caller % 7 == 3 { token.cancel() }
                        await Task.yield()
                    }
                }
            }
        }
        #expect(try await eventually { results.allSatisfy { $0.events.count == 20 } })
        #expect(sent.withLock { $0 } < rounds * 20)
        #expect(await provider.outcome(of: Call("http://h")).summary.hasPrefix("200"))
    }
}
