import Dispatch
import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTesting
import Testing

@Suite struct CallbackQueueTests {
    private static let key = DispatchSpecificKey<String>()

    private static func queue(_ name: String) -> DispatchQueue {
        let queue = DispatchQueue(label: name)
        queue.setSpecific(key: key, value: name)
        return queue
    }

    private static var current: String { DispatchQueue.getSpecific(key: key) ?? "another" }

    /// Says on which queue the last two steps run.
    private struct Observer: PluginType {
        let queues: Recorder<String>

        func didReceive(_ result: Result<Response, ProviderError>, target: any TargetType) {
            queues.record(CallbackQueueTests.current)
        }

        func process(
            _ result: Result<Response, ProviderError>,
            target: any TargetType
        ) -> Result<Response, ProviderError> {
            queues.record(CallbackQueueTests.current)
            return result
        }
    }

    enum Ending: String, CaseIterable, Sendable {
        case success
        case transport
        case trust
        case mapping
        case cancelled
        case immediate
        case delayed
        case stubCancelled

        var stub: StubBehavior {
            switch self {
            case .immediate: .immediate
            case .delayed: .delayed(seconds: 0.01)
            case .stubCancelled: .delayed(seconds: 60)
            default: .never
            }
        }

        var path: String {
            switch self {
            case .transport: "close"
            case .cancelled: "hold"
            default: ""
            }
        }
    }

    @Test(arguments: Ending.allCases, [false, true])
    func `every ending comes on the queue that was asked for`(_ ending: Ending, _ isPerRequest: Bool) async throws {
        let wrongPin = "sha256/\(Data(repeating: 7, count: 32).base64EncodedString())"
        let world = try World(pin: ending == .trust ? wrongPin : nil) { request in
            switch request.path {
            case "/close": .fault(.close)
            case "/hold": .fault(.hold)
            default: .text("hello")
            }
        }
        let queues = Recorder<String>()
        let provider = EndpointProvider<Call>(
            stubClosure: { _ in ending.stub },
            callbackQueue: Self.queue("provider's"),
            session: world.session,
            plugins: [Observer(queues: queues)]
        )
        let call = world.call(ending.path) { if ending == .mapping { $0.headers = ["X A": ""] } }
        let expected = isPerRequest ? "request's" : "provider's"
        let result = await withCheckedContinuation { continuation in
            let request = provider.request(call, callbackQueue: isPerRequest ? Self.queue("request's") : nil) {
                queues.record(Self.current)
                continuation.resume(returning: $0)
            }
            if ending == .cancelled || ending == .stubCancelled { request.cancel() }
        }
        #expect(queues.events == Array(repeating: expected, count: ending == .mapping ? 2 : 3))
        switch ending {
        case .success: #expect(result.summary == "200 hello")
        case .immediate, .delayed: #expect(result.summary == "200 sample")
        case .cancelled, .stubCancelled: #expect(result.isCancelled)
        case .transport, .trust, .mapping: #expect(result.summary == "failed")
        }
    }

    @Test func `without a queue completions come one after the other, never on the main queue`() async throws {
        let world = try World()
        let provider = world.provider()
        let running = Recorder<Int>()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        provider.request(world.call()) { _ in
                            dispatchPrecondition(condition: .notOnQueue(.main))
                            running.record(1)
                            running.record(-1)
                            continuation.resume()
                        }
                    }
                }
            }
        }
        #expect(running.events == (0..<8).flatMap { _ in [1, -1] })
    }
}
