import Foundation
import FoundationNetworking
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

@Suite struct RetryPolicyTests {
    /// Without delays, but for what the server wants.
    private static func policy(
        retryLimit: UInt = 2,
        maximumRetryAfter: TimeInterval = 60
    ) -> RetryPolicy {
        RetryPolicy(retryLimit: retryLimit, exponentialBackoffScale: 0, maximumRetryAfter: maximumRetryAfter)
    }

    /// A server that answers with these one after the other, and then with `hello`.
    private func server(_ answers: [LocalTLSServer.Response]) throws -> LocalTLSServer {
        let rest = Mutex(answers[...])
        return try LocalTLSServer.plain { _ in rest.withLock { $0.popFirst() } ?? .text("hello") }
    }

    private func send(
        _ method: HTTPMethod = .get,
        to server: LocalTLSServer,
        _ policy: any RequestInterceptor
    ) async -> DataResponse<Data, SessionError> {
        await Session(interceptor: policy).request(server.url, method: method).wantingSuccess().serializingData()
            .response
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `a status that may pass leads to another attempt`(_ status: Int) async throws {
        let server = try server([.text("", status: status), .text("", status: status)])
        let response = await send(to: server, Self.policy())
        #expect(response.text == "hello")
        #expect(server.log.requests.count == 3)
    }

    @Test(arguments: [400, 401, 403, 404, 501])
    func `a status that will be the same leads to none`(_ status: Int) async throws {
        let server = try server([.text("", status: status)])
        #expect(await send(to: server, Self.policy()).status == status)
        #expect(server.log.requests.count == 1)
    }

    @Test(arguments: [0, 1, 3] as [UInt])
    func `there are no more attempts than the limit says`(_ limit: UInt) async throws {
        let server = try server(Array(repeating: .text("", status: 503), count: 10))
        let request = Session(interceptor: Self.policy(retryLimit: limit)).request(server.url).wantingSuccess()
        let response = await request.serializingData().response
        #expect(response.status == 503)
        #expect(response.error?.underlyingError is UnwantedStatus)
        #expect(request.retryCount == Int(limit))
        #expect(server.log.requests.count == Int(limit) + 1)
    }

    @Test(arguments: [HTTPMethod.get, .head, .put, .delete, .options, .query])
    func `a method that does no harm twice is sent again`(_ method: HTTPMethod) async throws {
        let server = try server([.text("", status: 503)])
        #expect(await send(method, to: server, Self.policy()).status == 200)
        #expect(server.log.requests.map(\.method) == [method.rawValue, method.rawValue])
    }

    @Test(arguments: [HTTPMethod.post, .patch])
    func `a method that may do harm twice is not, unless it is asked for`(_ method: HTTPMethod) async throws {
        let refusing = try server([.text("", status: 503)])
        #expect(await send(method, to: refusing, Self.policy()).status == 503)
        #expect(refusing.log.requests.count == 1)
        let asked = try server([.text("", status: 503)])
        let policy = RetryPolicy(exponentialBackoffScale: 0, retryableHTTPMethods: [method])
        #expect(await send(method, to: asked, policy).status == 200)
    }

    @Test(arguments: [LocalTLSServer.Fault.close, .reset, .closeAfter(bytes: 1)])
    func `a connection that is lost leads to another attempt`(_ fault: LocalTLSServer.Fault) async throws {
        let lost = LocalTLSServer.Response(body: Data("lost".utf8), fault: fault)
        for policy in [Self.policy(), ConnectionLostRetryPolicy(exponentialBackoffScale: 0)] {
            let server = try server([lost])
            #expect(await send(to: server, policy).text == "hello")
            #expect(server.log.requests.count == 2)
        }
        let server = try server([.text("", status: 503)])
        #expect(await send(to: server, ConnectionLostRetryPolicy()).status == 503)
    }

    @Test func `a time-out leads to another attempt`() async throws {
        let server = try server([.fault(.hold)])
        let response = await Session(interceptor: Self.policy())
            .request(server.url, timeouts: Timeouts(idle: 0.2)).serializingData().response
        #expect(response.text == "hello")
    }

    @Test func `a server that cannot be reached is tried again`() async throws {
        let attempts = Counter()
        let counting = Adapter { request, _, completion in
            attempts.add()
            completion(.success(request))
        }
        let interceptor = Interceptor(adapters: [counting], retriers: [Self.policy()])
        let response = await Session(interceptor: interceptor).request("http://127.0.0.1:1/").serializingData()
            .response
        #expect(response.error?.transportError?.code == .cannotConnect)
        #expect(attempts.value == 3)
    }

    @Test func `a server that was refused is not asked again`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity)
        let manager = try ServerTrustManager(evaluators: ["localhost": world.wronglyPinned()])
        let session = Session(interceptor: Self.policy(), serverTrustManager: manager)
        let request = session.request(server.url)
        #expect(await request.serializingData().response.refusal == .pinMismatch)
        #expect(request.retryCount == 0)
        #expect(server.log.connections == 1)
    }

    @Test func `a stream is not sent a second time as something else`() async throws {
        let server = try server([.text("", status: 503)])
        var request = URLRequest(url: server.url)
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: Data("whole".utf8))
        let session = Session(interceptor: Self.policy())
        let response = await session.request(request).wantingSuccess().serializingData().response
        #expect(response.error?.transportError?.code == .bodyUnreadable)
        #expect(server.log.requests.map(\.body) == [Data("whole".utf8)])
    }

    // MARK: - Delays

    /// The answer about an attempt that a server ended so.
    private func answer(
        _ policy: RetryPolicy,
        retryAfter: String?,
        now: Date = Date()
    ) async throws -> RetryResult {
        let headers = retryAfter.map { [LocalTLSServer.Header("Retry-After", $0)] } ?? []
        let server = try server([.text("", status: 503, headers: headers)])
        let answers = Recorded<RetryResult>()
        let asking = Retrier { request, session, error, completion in
            policy.retry(request, for: session, dueTo: error) { result in
                answers.add(result)
                completion(.doNotRetry)
            }
        }
        let session = Session(configuration: .with { $0.now = { now } }, interceptor: asking)
        _ = await session.request(server.url).wantingSuccess().serializingData().response
        return try #require(answers.all.first)
    }

    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test(
        arguments: [
            (nil, 0.75), ("20", 20), (" 20 ", 20), ("0", 0.75), ("-5", 0.75), ("soon", 0.75), ("", 0.75),
            ("Tue, 14 Nov 2023 22:13:40 GMT", 20), ("Tuesday, 14-Nov-23 22:13:40 GMT", 20),
            ("Tue Nov 14 22:13:40 2023", 20), ("Tue, 14 Nov 2023 22:13:00 GMT", 0.75),
        ] as [(String?, TimeInterval)]
    )
    func `a Retry-After is obeyed where it is longer than the delay`(
        _ value: String?,
        expected: TimeInterval
    ) async throws {
        let policy = RetryPolicy(exponentialBackoffScale: 1, random: { 0.5 })
        guard case .retryWithDelay(let delay) = try await answer(policy, retryAfter: value, now: Self.now) else {
            Issue.record("no other attempt")
            return
        }
        #expect(abs(delay - expected) < 0.001)
    }

    @Test(arguments: ["61", "99999999999999999999999999", "Tue, 14 Nov 2023 22:15:00 GMT"])
    func `a Retry-After beyond the bound leads to no other attempt`(_ value: String) async throws {
        guard case .doNotRetry = try await answer(RetryPolicy(), retryAfter: value, now: Self.now) else {
            Issue.record("another attempt")
            return
        }
        guard case .retryWithDelay = try await answer(RetryPolicy(), retryAfter: "60", now: Self.now) else {
            Issue.record("no other attempt")
            return
        }
    }

    @Test func `the next attempt waits as long as the server wants`() async throws {
        let server = try server([.text("", status: 503, headers: [.init("Retry-After", "1")])])
        let start = ContinuousClock.now
        #expect(await send(to: server, Self.policy()).text == "hello")
        #expect(ContinuousClock.now - start >= .seconds(1))
    }

    @Test func `delays grow, and lie between the half and the whole`() async throws {
        for (random, expected) in [(0.0, [0.25, 0.5, 1]), (0.5, [0.375, 0.75, 1.5]), (7, [0.5, 1, 2])] {
            let policy = RetryPolicy(retryLimit: 3, random: { random })
            let delays = Recorded<TimeInterval>()
            let asking = Retrier { request, session, error, completion in
                policy.retry(request, for: session, dueTo: error) { result in
                    guard case .retryWithDelay(let delay) = result else { return completion(result) }
                    delays.add(delay)
                    completion(.retry)
                }
            }
            let server = try server(Array(repeating: .text("", status: 503), count: 4))
            _ = await send(to: server, asking)
            #expect(delays.all == expected)
        }
    }
}
