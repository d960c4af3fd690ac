import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// How many descriptors may come without a session: Dispatch opens some for its timers when they are first used.
private let slack = 8

/// What a session leaves behind; each in a process of its own, where nobody else opens files and starts threads.
@Suite struct SessionLifeTests {
    @Test func `sessions that come and go leave no descriptor and no thread`() async {
        await #expect(processExitsWith: .success) {
            let world = try World()
            let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
            let manager = try world.manager()
            func use(_ count: Int) async throws {
                for _ in 0..<count {
                    let session = Session(serverTrustManager: manager)
                    let response = await session.get(server.url)
                    try #require(response.text == "hello", "\(String(describing: response.error))")
                }
                try #require(try await eventually { Threads.count(named: "linchpin-loop") == 0 }, "a thread is left")
                try #require(await server.waitUntil { $0.openConnections == 0 }, "a connection is left")
            }
            try await use(3)
            let before = Descriptors.count
            try await use(100)
            try #require(try await eventually { Descriptors.count <= before + slack }, "\(Descriptors.targets)")
        }
    }

    @Test func `a request that is kept holds no descriptor of a session that is gone`() async {
        await #expect(processExitsWith: .success) {
            let server = try LocalTLSServer.plain { _ in .text("hello") }
            let before = Descriptors.count
            var requests: [DataRequest] = []
            for _ in 0..<30 {
                let session = Session()
                requests.append(session.request(server.url))
                let response = await requests.last?.serializingData().response
                try #require(response?.text == "hello", "\(String(describing: response?.error))")
            }
            try #require(try await eventually { Threads.count(named: "linchpin-loop") == 0 }, "a thread is left")
            try #require(await server.waitUntil { $0.openConnections == 0 }, "a connection is left")
            try #require(try await eventually { Descriptors.count <= before + slack }, "\(Descriptors.targets)")
            withExtendedLifetime(requests) {}
        }
    }

    @Test func `one session has one thread, however many requests run`() async {
        await #expect(processExitsWith: .success) {
            let server = try LocalTLSServer.plain { _ in .fault(.hold) }
            let session = Session()
            let requests = (0..<200).map { _ in session.request(server.url).resume() }
            try #require(await server.waitUntil { $0.requestCount == 200 })
            try #require(Threads.count(named: "linchpin-loop") == 1)
            for request in requests { request.cancel() }
            try #require(await server.waitUntil { $0.openConnections == 0 }, "a connection is left")
            await session.invalidate()
            try #require(try await eventually { Threads.count(named: "linchpin-loop") == 0 }, "a thread is left")
        }
    }

    @Test func `a process exits in peace while its sessions are busy`() async {
        for _ in 0..<5 {
            await #expect(processExitsWith: .exitCode(7)) {
                let world = try World()
                let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
                let manager = try world.manager()
                let sessions = (0..<20).map { _ in Session(serverTrustManager: manager) }
                for session in sessions { session.request(server.url).resume() }
                exit(7)
            }
        }
    }

    @Test func `a peer that is gone when its kept connection is closed does not end the process`() async {
        await #expect(processExitsWith: .success) {
            let world = try World()
            let manager = try world.manager()
            for _ in 0..<10 {
                let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
                let session = Session(serverTrustManager: manager)
                try #require(await session.get(server.url).text == "hello")
                server.stop()
                await session.invalidate()
            }
        }
    }

    @Test func `a peer that resets while a body is written does not end the process`() async {
        await #expect(processExitsWith: .success) {
            let server = try LocalTLSServer.plain { _ in .fault(.reset) }
            let session = Session()
            for _ in 0..<20 {
                let response = await session.request(
                    server.url,
                    method: .post,
                    headers: ["X": String(repeating: "a", count: 60_000)]
                ).serializingData().response
                try #require(response.error?.transportError != nil)
            }
        }
    }
}
