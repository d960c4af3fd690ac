import Dispatch
import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

/// Promise 7: a completion is delivered exactly once, whatever races.
@Suite struct CompletionTests {
    @Test func `cancelling ends a running request, once`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        let session = Session()
        let request = session.request(server.url)
        async let response = request.serializingData().response
        #expect(await server.waitUntil { $0.requests.count == 1 })
        request.cancel().cancel()
        #expect(await response.error?.isExplicitlyCancelledError == true)
        #expect(request.state == .cancelled)
        #expect(await server.waitUntil { $0.openConnections == 0 }, "the connection stayed open")
    }

    @Test func `cancelling the waiting task ends the request`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        let session = Session()
        let task = Task { await session.get(server.url) }
        #expect(await server.waitUntil { $0.requests.count == 1 })
        task.cancel()
        #expect(await task.value.error?.isExplicitlyCancelledError == true)
    }

    @Test func `a closure that is told of progress can cancel, and one that gets a part can begin a request`()
        async throws
    {
        let body = Data(repeating: 1, count: 5_000_000)
        let server = try LocalTLSServer.plain { request in
            request.path == "/" ? .init(body: body, fault: .holdAfter(bytes: 1_000_000)) : .text("hello")
        }
        let session = Session()
        let download = session.request(server.url)
        download.downloadProgress { [weak download] _ in download?.cancel() }
        #expect(await download.serializingData().response.error?.isExplicitlyCancelledError == true)
        let text = await withCheckedContinuation { continuation in
            let isFirst = Mutex(true)
            session.streamRequest(server.url).responseStream { stream in
                guard
                    isFirst.withLock({ isFirst in
                        defer { isFirst = false }; return isFirst
                    })
                else { return }
                stream.cancel()
                session.request(server.url(host: "localhost", path: "/b")).responseData {
                    continuation.resume(returning: $0.text)
                }
            }
        }
        #expect(text == "hello")
    }

    @Test func `a request that is cancelled before it starts sends nothing`() async throws {
        let server = try LocalTLSServer.plain()
        let session = Session()
        let request = session.request(server.url).cancel()
        #expect(await request.serializingData().response.error?.isExplicitlyCancelledError == true)
        request.resume()
        await session.invalidate()
        #expect(server.log.connections == 0)
    }

    @Test func `a handler that comes late gets the same response`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let session = Session()
        let request = session.request(server.url)
        #expect(await request.serializingData().response.text == "hello")
        #expect(await request.serializingData().response.text == "hello")
        #expect(server.log.requests.count == 1)
    }

    @Test func `a handler runs on the queue that was given, or on the session's own`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let session = Session()
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "given")
        queue.setSpecific(key: key, value: "given")
        let places = await withCheckedContinuation { continuation in
            session.request(server.url).responseData(queue: queue) { _ in
                let first = DispatchQueue.getSpecific(key: key)
                session.request(server.url).response { _ in
                    continuation.resume(returning: [first, DispatchQueue.getSpecific(key: key)])
                }
            }
        }
        #expect(places == ["given", nil])
    }

    @Test func `a session that goes ends its requests`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        var session: Session? = Session()
        let error = try await withCheckedThrowingContinuation { continuation in
            do {
                try #require(session).request(server.url).response { continuation.resume(returning: $0.error) }
                session = nil
            } catch {
                continuation.resume(throwing: error)
            }
        }
        guard case .sessionDeinitialized = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a session that was invalidated takes no request`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        let session = Session()
        async let response = session.get(server.url)
        #expect(await server.waitUntil { $0.requests.count == 1 })
        await session.invalidate()
        await session.invalidate()
        for error in [await response.error, await session.get(server.url).error] {
            guard case .sessionInvalidated = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(server.log.requests.count == 1)
    }

    @Test func `racing cancellations, resets and ends complete every request once`() async throws {
        let server = try LocalTLSServer.plain { request in
            switch Int(request.query ?? "0").map({ $0 % 4 }) {
            case 0: .text("hello")
            case 1: .fault(.reset)
            case 2: .fault(.hold)
            default: .fault(.close)
            }
        }
        let completions = Mutex([Int](repeating: 0, count: 400))
        let group = DispatchGroup()
        for round in 0..<4 {
            let session = Session(configuration: .with { $0.timeouts = Timeouts(idle: 0.1, request: 2) })
            let requests = (0..<100).map { index in
                group.enter()
                return session.request(server.url(host: "127.0.0.1", path: "/?\(index)")).response { _ in
                    completions.withLock { $0[round * 100 + index] += 1 }
                    group.leave()
                }
            }
            DispatchQueue.concurrentPerform(iterations: 100) { index in
                if index % 3 == 0 { requests[index].cancel() }
            }
            if round % 2 == 0 { await session.invalidate() }
            if round == 1 { withExtendedLifetime(session) {} }
            if round == 3 {
                for request in requests { _ = await request.serializingData().response }
            }
        }
        await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
        #expect(completions.withLock { $0.allSatisfy { $0 == 1 } })
    }
}
