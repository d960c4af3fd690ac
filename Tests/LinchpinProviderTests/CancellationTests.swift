import Dispatch
import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import Synchronization
import Testing

@Suite struct CancellationTests {
    private static func holding() throws -> World {
        try World { $0.path == "/hold" ? .fault(.hold) : .text("body", status: Int($0.path.dropFirst()) ?? 200) }
    }

    @Test(arguments: Way.allCases)
    func `many threads cancel at once and around the answer, and each request ends once`(_ way: Way) async throws {
        let world = try Way.world()
        let trace = Recorder<String>()
        let provider = way.provider(world, plugins: [TraceablePlugin(name: "1", trace: trace)])
        let queue = DispatchQueue(label: "callbacks", attributes: .concurrent)
        let rounds = 100
        let endings = (0..<rounds).map { _ in Recorder<String>() }
        await withTaskGroup { group in
            for round in 0..<rounds {
                group.addTask {
                    let request = provider.request(world.call("200"), callbackQueue: queue) {
                        endings[round].record($0.summary)
                    }
                    await withTaskGroup { group in
                        for delay in 0..<4 {
                            group.addTask {
                                try? await Task.sleep(for: .microseconds(delay * round * 20))
                                request.cancel()
                            }
                        }
                    }
                    #expect(request.isCancelled)
                }
            }
        }
        #expect(try await eventually { endings.allSatisfy { !$0.events.isEmpty } })
        queue.sync(flags: .barrier) {}
        #expect(endings.allSatisfy { $0.events == ["cancelled"] || $0.events == ["200 body1"] })
        for step in ["prepare", "willSend", "didReceive", "process"] {
            #expect(trace.events.count { $0.hasPrefix(step) } == rounds)
        }
    }

    @Test func `a cancelled delayed stub ends at once`() async throws {
        let provider = EndpointProvider<Call>(stubClosure: EndpointProvider.delayedStub(3_600))
        let endings = Recorder<String>()
        let request = provider.request(Call("http://h")) { endings.record($0.summary) }
        request.cancel()
        #expect(try await eventually { endings.events == ["cancelled"] })
    }

    @Test func `a cancelled delayed stub is not heard of again when it falls due`() async throws {
        let trace = Recorder<String>()
        let provider = EndpointProvider<Call>(
            stubClosure: EndpointProvider.delayedStub(0.05),
            plugins: [TraceablePlugin(name: "1", trace: trace)]
        )
        let endings = Recorder<String>()
        // While the queue stands still the sample cannot overtake the cancellation.
        let queue = DispatchQueue(label: "callbacks")
        queue.suspend()
        let request = provider.request(Call("http://h"), callbackQueue: queue) { endings.record($0.summary) }
        request.cancel()
        request.cancel()
        queue.resume()
        // Made later and on the same serial queue, this one falls due after the first.
        _ = await provider.outcome(of: Call("http://h"), queue: queue)
        #expect(endings.events == ["cancelled"])
        #expect(trace.events.filter { $0.hasSuffix("cancelled") } == ["didReceive 1 cancelled", "process 1 cancelled"])
    }

    @Test func `a cancelled stub lets go of its caller long before it falls due`() async throws {
        final class Screen: Sendable {}
        weak var screen: Screen?
        let provider = EndpointProvider<Call>(stubClosure: EndpointProvider.delayedStub(3_600))
        do {
            let local = Screen()
            screen = local
            provider.request(Call("http://h")) { _ in withExtendedLifetime(local) {} }.cancel()
        }
        #expect(try await eventually { screen == nil })
    }

    @Test func `a cancellation ends the transfer`() async throws {
        let world = try Self.holding()
        let endings = Recorder<String>()
        let request = world.provider().request(world.call("hold")) { endings.record($0.summary) }
        #expect(await world.server.waitUntil { $0.requestCount == 1 })
        request.cancel()
        #expect(try await eventually { endings.events == ["cancelled"] })
        #expect(await world.server.waitUntil { $0.openConnections == 0 })
    }

    @Test func `a task that is cancelled cancels its request`() async throws {
        let world = try Self.holding()
        let provider = world.provider()
        let task = Task { try await provider.request(world.call("hold")) }
        #expect(await world.server.waitUntil { $0.requestCount == 1 })
        task.cancel()
        let error = await #expect(throws: ProviderError.self) { try await task.value }
        #expect(error?.sessionError?.isExplicitlyCancelledError == true)
        #expect(await world.server.waitUntil { $0.openConnections == 0 })
    }

    @Test func `a task that is cancelled already sends nothing`() async throws {
        let world = try Self.holding()
        let provider = world.provider()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await provider.request(world.call("hold"))
        }
        let error = await #expect(throws: ProviderError.self) { try await task.value }
        #expect(error?.sessionError?.isExplicitlyCancelledError == true)
        #expect(world.server.log.connections == 0)
    }

    @Test func `what is cancelled before there is a request is never sent`() async throws {
        let world = try Self.holding()
        let trace = Recorder<String>()
        let answers = Recorder<EndpointProvider<Call>.RequestResultClosure>()
        let provider = EndpointProvider<Call>(
            requestClosure: { _, done in answers.record(done) },
            session: world.session,
            plugins: [TraceablePlugin(name: "1", trace: trace)]
        )
        let endings = Recorder<String>()
        provider.request(world.call()) { endings.record($0.summary) }.cancel()
        #expect(try await eventually { endings.events == ["cancelled"] })
        let late = try URLRequest(url: world.server.url, method: .get)
        for answer in answers.events { answer(.success(late)) }
        #expect(trace.events == ["process 1 cancelled"])
        #expect(world.server.log.connections == 0)
        #expect(endings.events.count == 1)
    }

    @Test func `what a plugin's willSend cancels is not sent, and plugins see its end`() async throws {
        struct Cancelling: PluginType {
            let request: Recorder<any Cancellable>
            func willSend(_: any RequestType, target: any TargetType) { request.events.first?.cancel() }
        }
        let world = try Self.holding()
        let trace = Recorder<String>()
        let requests = Recorder<any Cancellable>()
        let answers = Recorder<EndpointProvider<Call>.RequestResultClosure>()
        let provider = EndpointProvider<Call>(
            requestClosure: { _, done in answers.record(done) },
            session: world.session,
            plugins: [Cancelling(request: requests), TraceablePlugin(name: "1", trace: trace)]
        )
        let endings = Recorder<String>()
        requests.record(provider.request(world.call()) { endings.record($0.summary) })
        answers.events.first?(.success(try URLRequest(url: world.server.url, method: .get)))
        #expect(try await eventually { endings.events == ["cancelled"] })
        let steps = trace.events.map { $0.prefix { $0 != " " } }
        #expect(steps == ["prepare", "willSend", "didReceive", "process"])
        #expect(world.server.log.connections == 0)
    }

    @Test func `a request closure's first answer counts`() async throws {
        let provider = EndpointProvider<Call>(
            requestClosure: { endpoint, done in
                EndpointProvider<Call>.defaultRequestMapping(for: endpoint, closure: done)
                done(.failure(.requestMapping("second")))
            },
            stubClosure: EndpointProvider.immediatelyStub
        )
        let endings = Recorder<String>()
        provider.request(Call("http://h")) { endings.record($0.summary) }
        #expect(endings.events == ["200 sample"])
    }

    @Test func `a request closure that never answers ends the request`() async {
        let provider = EndpointProvider<Call>(requestClosure: { _, _ in })
        let error = await #expect(throws: ProviderError.self) { try await provider.request(Call("http://h")) }
        guard case .requestMapping(let reason) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("Call: "))
    }

    @Test func `a session that ends takes its requests with it`() async throws {
        let world = try Self.holding()
        async let result = world.provider().outcome(of: world.call("hold"))
        #expect(await world.server.waitUntil { $0.requestCount == 1 })
        await world.session.invalidate()
        guard case .failure(.underlying(SessionError.sessionInvalidated, nil)) = await result else {
            Issue.record("another result")
            return
        }
    }
}
