import Foundation
import FoundationNetworking
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// The time-outs of the TLS handshake and of the wait for an answer.
@Suite struct StepTimeoutTests {
    private func expectTimeout(
        _ kind: Timeouts.Kind,
        after seconds: TimeInterval,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ request: () async throws -> DataResponse<Data, SessionError>
    ) async rethrows {
        let start = ContinuousClock.now
        let response = try await request()
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        #expect(
            response.error?.transportError?.code == .timedOut(kind, after: seconds),
            "\(String(describing: response.error))",
            sourceLocation: sourceLocation
        )
        #expect(elapsed >= seconds * 0.9, "it ended before its time", sourceLocation: sourceLocation)
        #expect("\(String(describing: response.error))".contains("\(kind.rawValue) time-out"))
    }

    @Test func `a handshake that is not answered ends by its own time-out`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity, configuration: .init(connectionFault: .holdHandshake))
        let session = Session(serverTrustManager: try world.manager())
        await expectTimeout(.tls, after: 0.2) {
            await session.get(server.url, timeouts: Timeouts(connect: 20, tls: 0.2))
        }
        server.setConnectionFault(nil)
        #expect(await session.get(server.url, timeouts: Timeouts(connect: 20, tls: 20)).status == 200)
    }

    @Test func `a connection that is never made is no handshake`() async throws {
        // A listener whose queue is full answers no more: the kernel drops what comes.
        let session = Session(configuration: .with { $0.resolution.ipVersion = .v4 })
        let full = try FullListener()
        await expectTimeout(.connect, after: 0.4) {
            await session.get(full.url, timeouts: Timeouts(connect: 0.4, tls: 0.1))
        }
    }

    @Test func `the handshake with an HTTPS proxy has the time-out too`() async throws {
        let world = try World()
        let proxy = try LocalTLSServer(identity: world.identity, configuration: .init(connectionFault: .holdHandshake))
        let server = try LocalTLSServer(identity: world.identity)
        let port = Int(proxy.port)
        let session = Session(
            configuration: .with { $0.proxy = Proxy(scheme: .https, host: "localhost", port: port) },
            serverTrustManager: try world.manager()
        )
        await expectTimeout(.tls, after: 0.2) {
            await session.get(server.url, timeouts: Timeouts(connect: 20, tls: 0.2))
        }
    }

    @Test func `the handshake behind a proxy has the time-out, the way to it has not`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity, configuration: .init(connectionFault: .holdHandshake))
        let proxy = try LocalTLSServer.plain { _ in
            var response = LocalTLSServer.Response.tunnel(toPort: server.port)
            response.fault = .delay(seconds: 0.5)
            return response
        }
        let port = Int(proxy.port)
        let session = Session(
            configuration: .with { $0.proxy = Proxy(host: "localhost", port: port) },
            serverTrustManager: try world.manager()
        )
        let start = ContinuousClock.now
        await expectTimeout(.tls, after: 0.2) {
            await session.get(server.url, timeouts: Timeouts(connect: 20, tls: 0.2))
        }
        #expect(ContinuousClock.now - start >= .seconds(0.65), "the proxy's half second was counted")
    }

    @Test(arguments: [nil, Data("body".utf8), Data(repeating: 65, count: 300_000)])
    func `an answer that does not begin ends by its own time-out`(_ body: Data?) async throws {
        let server = try LocalTLSServer.plain { $0.path == "/" ? .fault(.hold) : .text("hello") }
        let session = Session()
        var request = URLRequest(url: server.url)
        request.httpMethod = body == nil ? "GET" : "POST"
        request.httpBody = body
        let timeouts = Timeouts(firstByte: 0.2, idle: 20)
        await expectTimeout(.firstByte, after: 0.2) {
            await session.request(request, timeouts: timeouts).serializingData().response
        }
        #expect(await session.get(server.url(host: "localhost", path: "/well")).text == "hello")
    }

    @Test func `a body that is slow to come is no answer that does not begin`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .init(body: Data(repeating: 65, count: 8), fault: .trickle(bytesPerChunk: 1, every: 0.2))
        }
        let response = await Session().get(server.url, timeouts: Timeouts(firstByte: 1.2, idle: 20))
        #expect(response.value?.count == 8)
    }

    @Test func `a server that says 100 Continue has not answered`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        let session = Session(configuration: .with { $0.expectsContinueFrom = 1 })
        var request = URLRequest(url: server.url)
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        await expectTimeout(.firstByte, after: 0.3) {
            await session.request(request, timeouts: Timeouts(firstByte: 0.3, idle: 20)).serializingData().response
        }
        #expect(server.log.requests.map(\.body) == [Data("body".utf8)])
    }

    @Test func `each hop of a redirect has its time for an answer`() async throws {
        let server = try LocalTLSServer.plain { request in
            let number = Int(request.path.dropFirst()) ?? 0
            let last = LocalTLSServer.Response(body: Data("hello".utf8), fault: .delay(seconds: 0.3))
            return number == 4
                ? last
                : .init(status: 302, headers: [.init("Location", "/\(number + 1)")], fault: .delay(seconds: 0.3))
        }
        #expect(await Session().get(server.url, timeouts: Timeouts(firstByte: 1.3, idle: 20)).text == "hello")
    }

    @Test(arguments: [Timeouts(tls: 0), Timeouts(firstByte: -1), Timeouts(tls: .nan)])
    func `a time-out of a step that is no positive number is an error`(_ timeouts: Timeouts) async {
        let response = await Session().request("http://127.0.0.1:1/", timeouts: timeouts).serializingData().response
        guard case .urlRequestValidationFailed(.invalidTimeout) = response.error else {
            Issue.record("\(String(describing: response.error))")
            return
        }
    }
}
