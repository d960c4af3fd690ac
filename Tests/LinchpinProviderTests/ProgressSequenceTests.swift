import Foundation
import LinchpinProvider
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import Testing

@Suite struct ProgressSequenceTests {
    private static let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })

    @Test func `steps lead to the response, for each iterator anew`() async throws {
        let world = try World { _ in .init(status: 200, body: Self.bytes) }
        let sequence = world.provider().requestWithProgress(world.call())
        #expect(world.server.log.connections == 0)
        for round in 1...2 {
            var steps: [ProgressResponse] = []
            for try await step in sequence { steps.append(step) }
            #expect(steps.last?.response?.data == Self.bytes)
            #expect(steps.dropLast().allSatisfy { !$0.completed })
            #expect(steps.map(\.progress) == steps.map(\.progress).sorted())
            #expect(world.server.log.requests.count == round)
        }
    }

    @Test func `an error is thrown once, and a stub has the response only`() async throws {
        let world = try World { _ in .fault(.close) }
        var steps = world.provider().requestWithProgress(world.call()).makeAsyncIterator()
        await #expect(throws: ProviderError.self) { while try await steps.next() != nil {} }
        #expect(try await steps.next() == nil)
        let stub = EndpointProvider<Call>(stubClosure: EndpointProvider.immediatelyStub)
        var answers: [String] = []
        for try await step in stub.requestWithProgress(Call("http://h")) {
            answers.append(try #require(step.response).mapString())
        }
        #expect(answers == ["sample"])
    }

    @Test func `letting go of it, or cancelling the reader, ends the request`() async throws {
        let world = try World { _ in .init(status: 200, body: Self.bytes, fault: .holdAfter(bytes: 100_000)) }
        let trace = Recorder<String>()
        let provider = world.provider(plugins: [TraceablePlugin(name: "1", trace: trace)])
        do {
            var steps = provider.requestWithProgress(world.call()).makeAsyncIterator()
            #expect(try await steps.next() != nil)
        }
        #expect(try await eventually { trace.events.contains("didReceive 1 cancelled") })
        let reader = Task {
            for try await _ in provider.requestWithProgress(world.call()) {}
        }
        #expect(await world.server.waitUntil { $0.requests.count == 2 })
        reader.cancel()
        let result = await reader.result
        #expect(throws: ProviderError.self) { try result.get() }
        // A task that is cancelled before sends nothing.
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in provider.requestWithProgress(world.call()) {}
        }
        let nothing = await early.result
        #expect(throws: ProviderError.self) { try nothing.get() }
        #expect(world.server.log.requests.count == 2)
    }
}
