import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Synchronization
import Testing

@testable import LinchpinFoundation

@Suite struct CancellationTests {
    @Test func `a cancelled task ends with the code for it`() async throws {
        let world = try World()
        let server = try world.server { _ in .fault(.hold) }
        let client = try world.client()
        let task = Task { try await client.data(from: server.url) }
        #expect(await server.waitUntil { $0.requestCount == 1 })
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(await server.waitUntil { $0.openConnections == 0 }, "the transfer goes on")
    }

    @Test func `a task that is cancelled before it starts sends nothing`() async throws {
        let world = try World()
        let server = try world.server()
        let recorder = Recorder()
        let task = try world.client(delegate: recorder).dataTask(with: server.url)
        task.cancel()
        #expect(await recorder.run(task).ends.map { $0?.code } == [.cancelled])
        #expect(server.log.connections == 0)
    }

    @Test func `invalidating the URL session ends its tasks`() async throws {
        let world = try World()
        let server = try world.server { _ in .fault(.hold) }
        let recorder = Recorder()
        let client = try world.client(delegate: recorder)
        let end = Task { [task = client.dataTask(with: server.url)] in await recorder.run(task) }
        #expect(await server.waitUntil { $0.requestCount == 1 })
        client.invalidateAndCancel()
        #expect(await end.value.ends.map { $0?.code } == [.cancelled])
    }

    @Test func `whenever tasks are cancelled, each ends once`() async throws {
        let world = try World()
        let server = try world.server { request in
            request.path == "/from"
                ? .redirect(to: "/to")
                : .init(body: Data(repeating: 65, count: 100_000), framing: .chunked(size: 5_000))
        }
        let recorder = Recorder(onRedirect: { $1 })
        let client = try world.client(delegate: recorder)
        let ends = Mutex<[Int: Int]>([:])
        let count = 300
        await withTaskGroup { group in
            for index in 0..<count {
                let url = server.url(host: "localhost", path: index.isMultiple(of: 3) ? "/from" : "/to")
                let task: URLSessionTask
                let note: @Sendable () -> Void = { ends.withLock { $0[index, default: 0] += 1 } }
                switch index % 4 {
                case 0, 1: task = client.dataTask(with: url) { _, _, _ in note() }
                case 2:
                    task = client.downloadTask(with: url) { file, _, _ in
                        if let file { try? FileManager.default.removeItem(at: file) }
                        note()
                    }
                default: task = client.dataTask(with: url)
                }
                task.resume()
                group.addTask {
                    try? await Task.sleep(for: .microseconds(Int.random(in: 0...60_000)))
                    if index.isMultiple(of: 5) { task.suspend() }
                    task.cancel()
                }
            }
        }
        let all = count - count / 4
        #expect(
            try await eventually(within: 60) {
                ends.withLock { $0.values.reduce(0, +) } >= all && recorder.noted.ends.count >= count / 4
            }
        )
        // Another task's end comes after all that might have come twice.
        _ = try await client.data(from: server.url)
        #expect(ends.withLock { $0.values.allSatisfy { $0 == 1 } && $0.count == all })
        #expect(recorder.noted.ends.count == count / 4)
    }
}
