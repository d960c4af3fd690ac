import Dispatch
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

    @Test func `one overridden method serves completions and await`() async throws {
        let provider = Counting(stubClosure: EndpointProvider.immediatelyStub)
        _ = try await provider.request(Call("http://h") { $0.path = "await" })
        _ = provider.request(Call("http://h") { $0.path = "completion" }) { _ in }
        #expect(provider.calls.events == ["await", "completion"])
    }
}
