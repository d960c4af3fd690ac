import Dispatch
import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Testing

@testable import LinchpinSession

@Suite struct EventMonitorTests {
    /// Writes down what it is told.
    struct Scribe: EventMonitor {
        let queue = DispatchQueue(label: "scribe")
        let steps: Recorded<String>
        var name = ""

        private func add(_ step: String) { steps.add(name + step) }

        func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) { add("created") }
        func request(_ request: Request, didFailToCreateURLRequestWithError error: SessionError) { add("not created") }
        func request(_ request: Request, didAdaptInitialRequest initial: URLRequest, to adapted: URLRequest) {
            add("adapted \(adapted.value(forHTTPHeaderField: "X") ?? "")")
        }
        func request(_ request: Request, didFailToAdaptURLRequest initial: URLRequest, withError error: SessionError) {
            add("not adapted")
        }
        func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) { add("final") }
        func request(_ request: Request, didBeginAttempt number: Int) { add("attempt \(number)") }
        func request(_ request: Request, willBeRedirectedTo next: URLRequest, for response: HTTPURLResponse) {
            add("redirect \(response.statusCode) \(next.url?.path ?? "")")
        }
        func request(_ request: Request, didReceiveResponse response: HTTPURLResponse) {
            add("head \(response.statusCode)")
        }
        func request(_ request: Request, didGatherMetrics metrics: RequestMetrics) { add("metrics") }
        func request(_ request: Request, didCompleteAttempt number: Int, with error: SessionError?) {
            add("end \(number)\(error == nil ? "" : " error")")
        }
        func request(_ request: Request, didValidateResponse response: HTTPURLResponse, withError error: SessionError?)
        {
            add("validated \(error == nil)")
        }
        func requestIsRetrying(_ request: Request) { add("retry") }
        func requestDidResume(_ request: Request) { add("resume") }
        func requestDidSuspend(_ request: Request) { add("suspend") }
        func requestDidCancel(_ request: Request) { add("cancel") }
        func requestDidFinish(_ request: Request) { add("finish") }
        func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, SessionError>) {
            add("parsed \(Value.self) \(response.error == nil)")
        }
        func request<Value>(
            _ request: DownloadRequest,
            didParseResponse response: DownloadResponse<Value, SessionError>
        ) {
            add("parsed \(Value.self) \(response.error == nil)")
        }
    }

    private func flaky() throws -> LocalTLSServer {
        let answers = Counter()
        return try LocalTLSServer.plain { request in
            if request.path == "/a" { return .redirect(to: "/b") }
            return .text("hello", status: answers.add() == 1 ? 503 : 200)
        }
    }

    @Test func `a monitor is told every step in its order`() async throws {
        let server = try flaky()
        let scribe = Scribe(steps: Recorded())
        let interceptor = Interceptor(
            adapters: [HeaderAdapter(["X": "x"])],
            retriers: [RetryPolicy(exponentialBackoffScale: 0)]
        )
        let session = Session(interceptor: interceptor, eventMonitors: [scribe])
        let response = await session.request(server.url(host: "localhost", path: "/a")).wantingSuccess()
            .serializingData().response
        #expect(response.text == "hello")
        let attempt = ["created", "adapted x", "final"]
        let expected =
            ["resume"] + attempt + [
                "attempt 0", "redirect 302 /b", "head 503", "metrics", "end 0", "validated false", "retry",
            ]
            + attempt
            + [
                "attempt 1", "redirect 302 /b", "head 200", "metrics", "end 1", "validated true", "parsed Data true",
                "finish",
            ]
        #expect(try await eventually { scribe.steps.all.count == expected.count })
        #expect(scribe.steps.all == expected)
    }

    @Test func `a monitor is told of requests that fail before they are sent`() async throws {
        let scribe = Scribe(steps: Recorded())
        let refusing = Adapter { _, _, completion in completion(.failure(UnwantedStatus(status: 0))) }
        let session = Session(eventMonitors: [scribe])
        _ = await session.request("two words").serializingData().response
        _ = await session.request("http://127.0.0.1:1/", interceptor: refusing).serializingData().response
        let expected = [
            "resume", "not created", "finish", "parsed Data false", "resume", "created", "not adapted", "finish",
            "parsed Data false",
        ]
        #expect(try await eventually { scribe.steps.all.count == expected.count })
        #expect(scribe.steps.all == expected)
    }

    @Test func `a monitor is told when the caller holds, goes on and cancels`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        let scribe = Scribe(steps: Recorded())
        let session = Session()
        let request = session.request(server.url).eventMonitor(scribe)
        request.resume().suspend().suspend().resume().cancel().cancel()
        _ = await request.serializingData().response
        let wanted = ["resume", "suspend", "resume", "cancel", "finish"]
        #expect(try await eventually { scribe.steps.all.contains("finish") })
        #expect(scribe.steps.all.filter { wanted.contains($0) } == wanted)
    }

    @Test func `the session's monitors are told before a request's own, and a composite tells its parts`() async throws
    {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let steps = Recorded<String>()
        let queue = DispatchQueue(label: "shared")
        func counting(_ name: String) -> ClosureEventMonitor {
            var monitor = ClosureEventMonitor(queue: queue)
            monitor.requestDidReceiveResponse = { _, response in steps.add("\(name) \(response.statusCode)") }
            return monitor
        }
        let session = Session(eventMonitors: [counting("a"), CompositeEventMonitor(monitors: [counting("c")])])
        _ = await session.request(server.url).eventMonitor(counting("b")).serializingData().response
        #expect(try await eventually { steps.all.count == 3 })
        #expect(Set(steps.all) == ["a 200", "b 200", "c 200"])
        #expect(steps.all.firstIndex(of: "a 200") == 0)
    }

    @Test func `a monitor's queue holds up nothing`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let gate = DispatchSemaphore(value: 0)
        var monitor = ClosureEventMonitor()
        monitor.requestDidResume = { _ in gate.wait() }
        let session = Session(eventMonitors: [monitor])
        #expect(await session.get(server.url).text == "hello")
        gate.signal()
    }

    @Test func `a download tells what was made of it`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let scribe = Scribe(steps: Recorded())
        let session = Session(eventMonitors: [scribe])
        let file = try await session.download(server.url).serializingDownloadedFileURL().value
        try FileManager.default.removeItem(at: file)
        #expect(try await eventually { scribe.steps.all.contains("parsed URL true") })
    }

    @Test func `the log shows what happens and no secret`() async throws {
        let secret = "s3cret"
        let other = try LocalTLSServer.plain { _ in .text(secret, headers: [.init("Set-Cookie", "id=\(secret)")]) }
        let target = "http://me:\(secret)@127.0.0.1:\(other.port)/there?token=\(secret)"
        let server = try LocalTLSServer.plain { _ in .redirect(to: target) }
        let lines = Recorded<String>()
        let log = LogEventMonitor(secretHeaders: ["X-SIGNATURE"]) { lines.add($0) }
        let session = Session(interceptor: BearerTokenAdapter { secret }, eventMonitors: [log])
        let url = try #require(URL(string: "http://me:\(secret)@localhost:\(server.port)/here?q=\(secret)&a=b"))
        let headers: HTTPHeaders = [
            "X-Signature": secret, "Cookie": "id=\(secret)", "Referer": "http://h/?t=\(secret)", "X-Plain": "shown",
        ]
        let request = session.request(url, method: .post, headers: headers) { $0.httpBody = Data(secret.utf8) }
        #expect(await request.serializingData().response.status == 200)
        #expect(try await eventually { lines.all.contains { $0.contains(" ends with") } })
        let text = lines.all.joined(separator: "\n")
        #expect(!text.contains(secret))
        for part in [
            "sends POST http://localhost:\(server.port)/here?q=<redacted>&a=<redacted>", "X-Plain: shown",
            "Authorization: <redacted>", "302", "/there?token=<redacted>", "receives 200", "ends with 200",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        let prefix = "[\(request.id.uuidString.prefix(8))] "
        #expect(lines.all.allSatisfy { $0.hasPrefix(prefix) })
    }

    @Test func `the log names what failed`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.close) }
        let lines = Recorded<String>()
        let session = Session(
            interceptor: RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0),
            eventMonitors: [LogEventMonitor { lines.add($0) }]
        )
        #expect(await session.get(server.url).error != nil)
        #expect(
            try await eventually { lines.all.contains { $0.contains("ends and an error") || $0.contains("an error") } }
        )
        let text = lines.all.joined(separator: "\n")
        for part in ["fails in attempt 1", "is tried again", "fails in attempt 2", "ends and an error"] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }
}
