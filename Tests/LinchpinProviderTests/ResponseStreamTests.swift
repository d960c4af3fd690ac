import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import Testing

@Suite struct ResponseStreamTests {
    private static let bytes = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0) })

    private func read(_ stream: ResponseStream) async throws -> Data {
        var data = Data()
        for try await part in stream { data += part }
        return data
    }

    @Test func `a body comes in parts, and plugins see one request and one answer`() async throws {
        let world = try World { request in
            request.path == "/empty" ? .init(status: 204) : .init(status: 200, body: Self.bytes)
        }
        let trace = Recorder<String>()
        let provider = world.provider(plugins: [TraceablePlugin(name: "1", trace: trace)])
        let stream = provider.requestStream(world.call("a"))
        #expect(try await read(stream) == Self.bytes)
        #expect(try await eventually { trace.events == ["prepare 1", "willSend 1 1", "didReceive 1 200 "] })
        #expect(try await read(provider.requestStream(world.call("empty"))).isEmpty)
        // Every iterator asks anew.
        #expect(try await read(stream) == Self.bytes)
        #expect(world.server.log.requests.count == 3)
    }

    @Test func `a refusing status is an error before any part`() async throws {
        let world = try World { _ in .init(status: 500, body: Self.bytes) }
        let trace = Recorder<String>()
        let provider = world.provider(plugins: [TraceablePlugin(name: "1", trace: trace)])
        var parts = provider.requestStream(world.call { $0.validationType = .successCodes }).makeAsyncIterator()
        let error = await #expect(throws: ProviderError.self) { try await parts.next() }
        #expect(error?.response?.statusCode == 500)
        #expect(try await parts.next() == nil)
        #expect(try await eventually { trace.events.last == "didReceive 1 refused 500 500" })
        // The twin: without validation the body is the caller's.
        #expect(try await read(provider.requestStream(world.call())) == Self.bytes)
    }

    @Test func `letting go of it, or cancelling the reader, ends it`() async throws {
        let world = try World { _ in .init(status: 200, body: Self.bytes, fault: .holdAfter(bytes: 100_000)) }
        let trace = Recorder<String>()
        let provider = world.provider(plugins: [TraceablePlugin(name: "1", trace: trace)])
        do {
            var parts = provider.requestStream(world.call()).makeAsyncIterator()
            #expect(try await parts.next() != nil)
        }
        #expect(try await eventually { trace.events.last == "didReceive 1 cancelled" })
        let reader = Task { try await read(provider.requestStream(world.call())) }
        #expect(await world.server.waitUntil { $0.requests.count == 2 })
        reader.cancel()
        let result = await reader.result
        #expect(throws: ProviderError.self) { try result.get() }
        #expect(try await eventually { trace.events.filter { $0 == "didReceive 1 cancelled" }.count == 2 })
    }

    @Test func `a token is refreshed before the body`() async throws {
        let world = try World {
            $0.header("Authorization") == "Bearer new" ? .text("secret") : .text("no", status: 401)
        }
        let provider = world.provider(plugins: [TokenRefreshPlugin(token: "old") { _ in "new" }])
        let stream = provider.requestStream(world.call { $0.authorizationType = .bearer })
        #expect(try await read(stream) == Data("secret".utf8))
    }

    @Test func `a reader that is cancelled waits neither for a stub nor for a closure`() async throws {
        let held = Recorder<EndpointProvider<Call>.RequestResultClosure>()
        let providers = [
            EndpointProvider<Call>(stubClosure: EndpointProvider.delayedStub(3_600)),
            EndpointProvider<Call>(requestClosure: { _, done in held.record(done) }),
        ]
        for provider in providers {
            let reader = Task { try await read(provider.requestStream(Call("http://h"))) }
            try await Task.sleep(for: .milliseconds(10))
            reader.cancel()
            let result = await reader.result
            let error = #expect(throws: ProviderError.self) { try result.get() }
            #expect(error?.sessionError?.isExplicitlyCancelledError == true)
        }
    }

    @Test func `a reader that is cancelled does not wait for a refresh, which goes on`() async throws {
        let world = try World { _ in .text("no", status: 401) }
        let ending = Recorder<CheckedContinuation<Void, Never>>()
        let plugin = TokenRefreshPlugin(token: "old") { _ in
            await withCheckedContinuation { ending.record($0) }
            #expect(!Task.isCancelled)
            return "new"
        }
        let provider = world.provider(plugins: [plugin])
        let results = Recorder<String>()
        let reader = Task {
            let stream = provider.requestStream(world.call { $0.authorizationType = .bearer })
            do {
                _ = try await read(stream)
                results.record("read")
            } catch {
                let isCancelled = (error as? ProviderError)?.sessionError?.isExplicitlyCancelledError == true
                results.record(isCancelled ? "cancelled" : "\(error)")
            }
        }
        try #require(try await eventually(within: 60) { ending.events.count == 1 })
        reader.cancel()
        let isFree = try await eventually(within: 30) { results.events == ["cancelled"] }
        ending.events[0].resume()
        #expect(isFree)
        #expect(try await eventually(within: 60) { plugin.token == "new" })
    }

    @Test func `files and forms are no streams`() async throws {
        let world = try World()
        let form: MultipartFormData = [MultipartFormBodyPart(provider: .data(Data("1".utf8)), name: "a")]
        let tasks: [RequestTask] = [
            .uploadFile(URL(fileURLWithPath: "/dev/null")), .uploadMultipartFormData(form),
            .uploadCompositeMultipartFormData(form, urlParameters: [:]),
            .downloadDestination { url, _ in (url, []) },
            .downloadParameters(parameters: [:], encoding: URLEncoding.default) { url, _ in (url, []) },
        ]
        for task in tasks {
            let call = world.call {
                $0.method = .post
                $0.task = task
            }
            let error = await #expect(throws: ProviderError.self) {
                try await read(world.provider().requestStream(call))
            }
            #expect(((error?.underlyingError as? TargetError)?.cause as? TaskError)?.code == .notStreamable)
        }
        #expect(world.server.log.connections == 0)
    }

    @Test func `a stub is a stream too, and what cannot be made is an error`() async throws {
        let provider = EndpointProvider<Call>(stubClosure: EndpointProvider.immediatelyStub)
        #expect(try await read(provider.requestStream(Call("http://h"))) == Data("sample".utf8))
        let error = await #expect(throws: ProviderError.self) {
            try await read(provider.requestStream(Call("http://h") { $0.headers = ["X A": "1"] }))
        }
        #expect((error?.underlyingError as? TargetError)?.field == "headers.X A")
        let silent = EndpointProvider<Call>(requestClosure: { _, _ in })
        await #expect(throws: ProviderError.self) { try await read(silent.requestStream(Call("http://h"))) }
    }
}
