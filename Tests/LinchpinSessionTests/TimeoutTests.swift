import Foundation
import FoundationNetworking
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

@Suite struct TimeoutTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: Timeouts.Kind
        let timeouts: Timeouts
        var fault: LocalTLSServer.Fault?
        var connectionFault: LocalTLSServer.Configuration.ConnectionFault?
    }

    static let rows = [
        Row(
            testDescription: "a handshake that is not answered",
            kind: .connect,
            timeouts: Timeouts(connect: 0.15, idle: 5, request: 5),
            connectionFault: .holdHandshake
        ),
        Row(
            testDescription: "a response that does not come",
            kind: .idle,
            timeouts: Timeouts(connect: 5, idle: 0.15, request: 5),
            fault: .hold
        ),
        Row(
            testDescription: "a body that stops",
            kind: .idle,
            timeouts: Timeouts(connect: 5, idle: 0.15, request: 5),
            fault: .holdAfter(bytes: 2)
        ),
        Row(
            testDescription: "a body that trickles for too long",
            kind: .request,
            timeouts: Timeouts(connect: 5, idle: 5, request: 0.3),
            fault: .trickle(bytesPerChunk: 1, every: 0.05)
        ),
        Row(
            testDescription: "a handshake that takes the whole request's time",
            kind: .request,
            timeouts: Timeouts(connect: 5, idle: 5, request: 0.15),
            connectionFault: .holdHandshake
        ),
    ]

    @Test(arguments: rows)
    func `a time-out ends the request and names itself`(_ row: Row) async throws {
        let world = try World()
        let server = try LocalTLSServer(
            identity: world.identity,
            configuration: .init(connectionFault: row.connectionFault)
        ) { _ in .init(body: Data(repeating: 65, count: 200), fault: row.fault) }
        let session = Session(serverTrustManager: try world.manager())
        let clock = ContinuousClock()
        let start = clock.now
        let response = await session.get(server.url, timeouts: row.timeouts)
        let elapsed = (clock.now - start) / .seconds(1)
        guard case .timedOut(let kind, let seconds) = response.error?.transportError?.code else {
            Issue.record("\(String(describing: response.error))")
            return
        }
        #expect(kind == row.kind)
        #expect(elapsed >= seconds, "it ended before its time")
        #expect(response.error?.isTimeout == true)
    }

    @Test func `requests that wait for a connection that never comes end in their own time`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity, configuration: .init(connectionFault: .holdHandshake))
        let session = Session(serverTrustManager: try world.manager())
        let start = ContinuousClock.now
        await withTaskGroup { group in
            for _ in 0..<60 {
                group.addTask { await session.get(server.url, timeouts: Timeouts(connect: 1)).error?.isTimeout }
            }
            for await isTimeout in group { #expect(isTimeout == true) }
        }
        #expect(ContinuousClock.now - start < .seconds(40), "they waited one after the other")
    }

    @Test func `a plain server that is slow to answer one request gets the others at once`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        let session = Session()
        let requests = (0..<5).map { _ in session.request(server.url).resume() }
        #expect(await server.waitUntil { $0.requestCount == 5 })
        for request in requests { request.cancel() }
    }

    @Test func `an idle time-out begins anew with every byte`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .init(body: Data(repeating: 65, count: 12), fault: .trickle(bytesPerChunk: 1, every: 0.1))
        }
        let response = await Session().get(server.url, timeouts: Timeouts(idle: 1))
        #expect(response.value?.count == 12)
    }

    @Test func `a request's own time-out is put before the session's`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        let configuration = SessionConfiguration.with { $0.timeouts = Timeouts(idle: 30, request: 30) }
        let session = Session(configuration: configuration)
        #expect(await session.get(server.url, timeouts: Timeouts(idle: 0.1)).error?.isTimeout == true)
        var request = URLRequest(url: server.url)
        request.timeoutInterval = 0.1
        #expect(await session.request(request).serializingData().response.error?.isTimeout == true)
    }

    @Test func `the whole request's time-out covers its redirects`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .init(status: 302, headers: [.init("Location", "/again")], fault: .delay(seconds: 0.05))
        }
        let response = await Session().get(server.url, timeouts: Timeouts(request: 0.3))
        guard case .timedOut(.request, _) = response.error?.transportError?.code else {
            Issue.record("\(String(describing: response.error))")
            return
        }
        #expect(server.log.requests.count > 1)
    }

    @Test(arguments: [0, -1, .nan] as [TimeInterval])
    func `a time-out that is no positive number is an error`(_ value: TimeInterval) async throws {
        for timeouts in [Timeouts(connect: value), Timeouts(idle: value), Timeouts(request: value)] {
            let response = await Session().request("http://127.0.0.1:1/", timeouts: timeouts).serializingData().response
            guard case .urlRequestValidationFailed(.invalidTimeout) = response.error else {
                Issue.record("\(String(describing: response.error))")
                continue
            }
        }
    }

    @Test func `a time-out of any length is no overflow`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let endless = Timeouts(connect: .infinity, idle: .greatestFiniteMagnitude, request: .infinity)
        #expect(await Session().get(server.url, timeouts: endless).text == "hello")
    }
}
