import Dispatch
import Foundation
import FoundationNetworking
import LinchpinProvider
import Testing

@Suite struct SubclassTests {
    private final class Counting: EndpointProvider<Call>, @unchecked Sendable {
        let calls = Recorder<String>()

        override func request(
            _ target: Call,
            callbackQueue: DispatchQueue? = nil,
            progress: ProgressBlock? = nil,
            completion: @escaping Completion
        ) -> any Cancellable {
            calls.record(target.path)
            return super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
        }
    }

    private final class Versioned: EndpointProvider<Call>, @unchecked Sendable {
        override func endpoint(_ target: Call) -> Endpoint {
            super.endpoint(target).adding(newHTTPHeaderFields: ["X-Version": "2"])
        }
    }

    @Test func `an overridden endpoint is the one that is sent, and streamed`() async throws {
        let stubs = StubbedSession { _ in .networkResponse(200, Data()) }
        let provider = Versioned(answeredBy: stubs)
        _ = try await provider.request(Call("http://h"))
        for try await _ in provider.requestStream(Call("http://h")) {}
        #expect(stubs.requests.map { $0.value(forHTTPHeaderField: "X-Version") } == ["2", "2"])
        #expect(provider.endpoint(Call("http://h") { $0.path = "a" }).url == "http://h/a")
    }

    @Test func `one overridden method serves completions and await`() async throws {
        let provider = Counting(stubClosure: EndpointProvider.immediatelyStub)
        _ = try await provider.request(Call("http://h") { $0.path = "await" })
        _ = provider.request(Call("http://h") { $0.path = "completion" }) { _ in }
        #expect(provider.calls.events == ["await", "completion"])
    }
}
