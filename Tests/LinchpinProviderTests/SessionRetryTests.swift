import Dispatch
import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import Synchronization
import Testing

@Suite struct SessionRetryTests {
    /// A server that answers the first `failures` requests with a fault, or a 503, and a session that asks again.
    private func world(
        failures: Int = 2,
        by response: LocalTLSServer.Response = .fault(.close),
        limit: UInt = 2
    ) throws -> (LocalTLSServer, Session) {
        let count = Mutex(0)
        let policy = RetryPolicy(
            retryLimit: limit,
            exponentialBackoffScale: 0.01,
            retryableHTTPMethods: [.get, .post, .put]
        )
        let world = try World(interceptor: policy) { request in
            let number = count.withLock {
                $0 += 1; return $0
            }
            return number <= failures ? response : .text("\(request.body.count)")
        }
        return (world.server, world.session)
    }

    private func call(_ server: LocalTLSServer, _ change: (inout Call) -> Void = { _ in }) -> Call {
        Call(server.url) {
            $0.method = .post
            change(&$0)
        }
    }

    private func read(_ stream: ResponseStream) async throws -> Data {
        var data = Data()
        for try await part in stream { data += part }
        return data
    }

    /// Signs with a number that is used once.
    private struct Nonce: PluginType {
        let count = Counter()
        final class Counter: Sendable {
            private let value = Mutex(0)
            func next() -> Int {
                value.withLock {
                    $0 += 1; return $0
                }
            }
        }
        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            var request = request
            request.setValue("\(count.next())", forHTTPHeaderField: "X-Nonce")
            return request
        }
    }

    @Test func `plugins prepare each attempt anew and see the end of each, and a call keeps its key`() async throws {
        let (server, session) = try world()
        let trace = Recorder<String>()
        let provider = EndpointProvider<Call>(
            session: session,
            plugins: [TraceablePlugin(name: "1", trace: trace), Nonce(), IdempotencyKeyPlugin()]
        )
        #expect(await provider.outcome(of: call(server)).summary == "200 01")
        #expect(
            trace.events == [
                "prepare 1", "willSend 1 1", "didReceive 1 failed", "prepare 1", "willSend 1 1",
                "didReceive 1 failed", "prepare 1", "willSend 1 1", "didReceive 1 200 0", "process 1 200 0",
            ]
        )
        let requests = server.log.requests
        #expect(requests.map { $0.header("X-Nonce") } == ["1", "2", "3"])
        #expect(requests.map { $0.header("X-Trail") } == ["1", "1", "1"])
        #expect(Set(requests.map { $0.header("Idempotency-Key") }).count == 1)
    }

    @Test(arguments: [true, false])
    func `a retrier hears of a status that is none for the target`(_ isValidated: Bool) async throws {
        let (server, session) = try world(by: .text("busy", status: 503))
        let trace = Recorder<String>()
        let provider = EndpointProvider<Call>(
            session: session,
            plugins: [TraceablePlugin(name: "1", trace: trace)]
        )
        let call = call(server) { $0.validationType = isValidated ? .successCodes : .none }
        let summary = await provider.outcome(of: call).summary
        #expect(summary == (isValidated ? "200 01" : "503 busy1"))
        let received = trace.events.filter { $0.hasPrefix("didReceive") }
        let refused = "didReceive 1 refused 503 503"
        #expect(received == (isValidated ? [refused, refused, "didReceive 1 200 0"] : ["didReceive 1 503 busy"]))
    }

    @Test func `when the attempts are used up the last answer is the result, as without a retrier`() async throws {
        let (server, session) = try world(failures: 9, by: .text("busy", status: 503), limit: 1)
        let provider = EndpointProvider<Call>(session: session)
        let call = call(server) { $0.validationType = .successCodes }
        let result = await provider.outcome(of: call)
        guard case .failure(.underlying(ProviderError.statusCode(let response), _)) = result else {
            Issue.record("another outcome: \(result)")
            return
        }
        #expect(response.data == Data("busy".utf8))
        #expect(server.log.requests.count == 2)
    }

    @Test func `a form is sent again with its own boundary, and a file whole`() async throws {
        let form = MultipartFormData()
        form.append(Data(repeating: 1, count: 100), withName: "a")
        let directory = try TemporaryDirectory()
        let file = URL(fileURLWithPath: directory.path(of: "file"))
        try Data(repeating: 2, count: 50_000).write(to: file)
        for (task, size) in [
            (RequestTask.uploadMultipartFormData(form), form.contentLength), (.uploadFile(file), 50_000),
        ] {
            let (server, session) = try world(by: .text("busy", status: 503))
            let provider = EndpointProvider<Call>(session: session, plugins: [Nonce()])
            let call = call(server) {
                $0.task = task
                $0.validationType = .successCodes
            }
            #expect(await provider.outcome(of: call).summary == "200 \(size)")
            let types = Set(server.log.requests.map { $0.header("Content-Type") })
            #expect(types.count == 1 && server.log.requests.count == 3)
        }
    }

    @Test func `a recording has the last attempt only, so that a replay gives what the caller got`() async throws {
        let (server, session) = try world(by: .text("busy", status: 503))
        let directory = try TemporaryDirectory()
        let place = URL(fileURLWithPath: directory.path(of: "recordings"))
        let recorder = try ExchangeRecorder(directory: place)
        let call = call(server) { $0.validationType = .successCodes }
        let real = EndpointProvider<Call>(session: session, plugins: [recorder])
        #expect(await real.outcome(of: call).summary == "200 0")
        let replay = EndpointProvider<Call>(answeredBy: try ReplaySource(directory: place))
        #expect(await replay.outcome(of: call).summary == "200 0")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).count == 1)
    }

    @Test(arguments: [true, false])
    func `a stream's attempts are prepared anew and seen like any other's`(_ canBePrepared: Bool) async throws {
        let (server, session) = try world()
        let trace = Recorder<String>()
        let prepared = Mutex(0)
        let fields = HeaderPlugin { _ in
            prepared.withLock {
                $0 += 1; return $0
            } > 1 && !canBePrepared ? ["X-A": "a\nb"] : [:]
        }
        let provider = EndpointProvider<Call>(
            session: session,
            plugins: [TraceablePlugin(name: "1", trace: trace), Nonce(), IdempotencyKeyPlugin(), fields]
        )
        let body = await Task { try await read(provider.requestStream(call(server))) }.result
        let first = ["prepare 1", "willSend 1 1", "didReceive 1 failed"]
        guard canBePrepared else {
            let error = #expect(throws: ProviderError.self) { try body.get() }
            #expect((error?.underlyingError as? TargetError)?.field == "headers.X-A")
            #expect(trace.events == first + ["prepare 1"])
            return
        }
        #expect(try body.get() == Data("0".utf8))
        #expect(
            try await eventually(within: 60) {
                trace.events == first + first + ["prepare 1", "willSend 1 1", "didReceive 1 200 "]
            }
        )
        let requests = server.log.requests
        #expect(requests.map { $0.header("X-Nonce") } == ["1", "2", "3"])
        #expect(Set(requests.map { $0.header("Idempotency-Key") }).count == 1)
    }

    @Test func `a reader that lets go of attempts leaves plugins with as many ends as beginnings`() async throws {
        let (server, session) = try world(failures: .max, limit: 50)
        let trace = Recorder<String>()
        let provider = EndpointProvider<Call>(
            session: session,
            plugins: [TraceablePlugin(name: "1", trace: trace)]
        )
        await withTaskGroup { group in
            for round in 0..<30 {
                group.addTask {
                    let reader = Task { try await read(provider.requestStream(call(server))) }
                    try? await Task.sleep(for: .milliseconds(round))
                    reader.cancel()
                    _ = await reader.result
                }
            }
        }
        await session.invalidate()
        #expect(
            try await eventually(within: 60) {
                trace.events.count { $0.hasPrefix("willSend") } == trace.events.count { $0.hasPrefix("didReceive") }
            }
        )
    }

    @Test func `an attempt that a plugin cannot prepare ends the request`() async throws {
        let (server, session) = try world()
        let asked = Mutex(0)
        let trace = Recorder<String>()
        let fields = HeaderPlugin { _ in
            asked.withLock {
                $0 += 1; return $0
            } == 1 ? [:] : ["X-A": "a\nb"]
        }
        let provider = EndpointProvider<Call>(
            session: session,
            plugins: [TraceablePlugin(name: "1", trace: trace), fields]
        )
        let error = await #expect(throws: ProviderError.self) { try await provider.request(call(server)) }
        #expect((error?.underlyingError as? TargetError)?.field == "headers.X-A")
        #expect(server.log.requests.count == 1)
        #expect(trace.events.count { $0.hasPrefix("willSend") } == trace.events.count { $0.hasPrefix("didReceive") })
    }

    /// Has everything sent again, whatever is wrong.
    private struct Stubborn: RequestInterceptor {
        func retry(
            _ request: Request,
            for session: Session,
            dueTo error: any Error,
            completion: @escaping @Sendable (RetryResult) -> Void
        ) {
            completion(request.retryCount < 5 ? .retry : .doNotRetry)
        }
    }

    @Test func `plugins see no end of an attempt that they could not prepare`() async throws {
        let (server, pinned) = try world(failures: 1)
        let session = Session(interceptor: Stubborn(), serverTrustManager: pinned.serverTrustManager)
        let asked = Mutex(0)
        let trace = Recorder<String>()
        let fields = HeaderPlugin { _ in
            asked.withLock {
                $0 += 1; return $0
            } == 2 ? ["X-A": "a\nb"] : [:]
        }
        let provider = EndpointProvider<Call>(
            session: session,
            plugins: [TraceablePlugin(name: "1", trace: trace), fields]
        )
        #expect(await provider.outcome(of: call(server)).summary == "200 01")
        #expect(
            trace.events == [
                "prepare 1", "willSend 1 1", "didReceive 1 failed", "prepare 1", "prepare 1", "willSend 1 1",
                "didReceive 1 200 0", "process 1 200 0",
            ]
        )
    }

    /// Has a request sent again, the second time in an hour.
    private struct Patient: RequestInterceptor {
        let asked: Recorder<Int>
        func retry(
            _ request: Request,
            for session: Session,
            dueTo error: any Error,
            completion: @escaping @Sendable (RetryResult) -> Void
        ) {
            asked.record(request.retryCount)
            completion(request.retryCount == 0 ? .retry : .retryWithDelay(3_600))
        }
    }

    @Test func `one that is cancelled after an attempt that could not be prepared ends evenly`() async throws {
        let (server, pinned) = try world()
        let asked = Recorder<Int>()
        let session = Session(interceptor: Patient(asked: asked), serverTrustManager: pinned.serverTrustManager)
        let prepared = Mutex(0)
        let trace = Recorder<String>()
        let fields = HeaderPlugin { _ in
            prepared.withLock {
                $0 += 1; return $0
            } > 1 ? ["X-A": "a\nb"] : [:]
        }
        let provider = EndpointProvider<Call>(
            session: session,
            plugins: [TraceablePlugin(name: "1", trace: trace), fields]
        )
        let request = provider.request(call(server)) { _ in trace.record("completion") }
        #expect(try await eventually(within: 60) { asked.events == [0, 1] })
        request.cancel()
        #expect(try await eventually(within: 60) { trace.events.last == "completion" })
        #expect(
            trace.events == [
                "prepare 1", "willSend 1 1", "didReceive 1 failed", "prepare 1", "process 1 cancelled", "completion",
            ]
        )
    }

    @Test func `a request that is cancelled before another attempt is not prepared again`() async throws {
        let (server, pinned) = try world()
        let made = Recorder<Int>()
        var monitor = ClosureEventMonitor()
        monitor.requestDidCreateInitialURLRequest = { _, _ in made.record(1) }
        let session = Session(
            interceptor: Stubborn(),
            serverTrustManager: pinned.serverTrustManager,
            eventMonitors: [monitor]
        )
        let trace = Recorder<String>()
        let provider = EndpointProvider<Call>(
            session: session,
            plugins: [TraceablePlugin(name: "1", trace: trace)]
        )
        // What plugins are told comes here, and waits.
        let queue = DispatchQueue(label: "callbacks")
        queue.suspend()
        let request = provider.request(call(server), callbackQueue: queue) { _ in trace.record("completion") }
        #expect(try await eventually { made.events.count == 2 })
        request.cancel()
        queue.resume()
        #expect(try await eventually { trace.events.last == "completion" })
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(
            trace.events == [
                "prepare 1", "willSend 1 1", "didReceive 1 cancelled", "process 1 cancelled", "completion",
            ]
        )
    }

    @Test func `many are cancelled while they are tried again, and each ends once and evenly`() async throws {
        let (server, session) = try world(failures: .max, limit: 50)
        let trace = Recorder<String>()
        let provider = EndpointProvider<Call>(
            session: session,
            plugins: [TraceablePlugin(name: "1", trace: trace)]
        )
        let endings = (0..<30).map { _ in Recorder<String>() }
        await withTaskGroup { group in
            for (round, ending) in endings.enumerated() {
                group.addTask {
                    let request = provider.request(call(server)) { ending.record($0.summary) }
                    try? await Task.sleep(for: .milliseconds(round))
                    request.cancel()
                }
            }
        }
        #expect(try await eventually { endings.allSatisfy { !$0.events.isEmpty } })
        await session.invalidate()
        #expect(endings.allSatisfy { $0.events == ["cancelled"] })
        #expect(
            try await eventually {
                trace.events.count { $0.hasPrefix("willSend") } == trace.events.count { $0.hasPrefix("didReceive") }
            }
        )
    }
}
