import Foundation
import LinchpinTesting
import Synchronization
import Testing

@Suite struct ServerLifeTests {
    /// The names of this process's threads.
    private func threadNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { task in
            try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    @Test func `a stopped server has no thread, no connection and no port`() throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        let clients = try (0..<5).map { _ in try PlainClient(port: server.port) }
        for client in clients { try client.send("GET / HTTP/1.1\r\n\r\n") }
        #expect(server.waitUntil { $0.requests.count == 5 })
        let name = "linchpin-\(server.port)"
        #expect(try threadNames().count { $0 == name } == 6)
        let start = ContinuousClock.now
        server.stop()
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(try !threadNames().contains(name))
        #expect(server.log.openConnections == 0)
        #expect(server.log.connections == 5)
        #expect(clients.allSatisfy { $0.receive() == .end })
        let error = #expect(throws: PlainClient.Failure.self) { try PlainClient(port: server.port) }
        #expect(error?.code == ECONNREFUSED)
        server.stop()
    }

    @Test func `a server that is let go stops`() throws {
        var server: LocalTLSServer? = try LocalTLSServer.plain()
        let port = try #require(server?.port)
        let client = try PlainClient(port: port)
        server = nil
        #expect(client.receive() != .nothing)
        #expect(throws: PlainClient.Failure.self) { try PlainClient(port: port) }
        #expect(try !threadNames().contains("linchpin-\(port)"))
    }

    @Test func `a server is stopped in the middle of a handshake`() throws {
        let world = try TestWorld()
        let server = try world.server()
        let client = try PlainClient(port: server.port)
        #expect(server.waitUntil { $0.openConnections == 1 })
        server.stop()
        #expect(client.receive() == .end)
        #expect(server.log.handshakeCount == 0)
    }

    @Test func `a handler stops its own server`() throws {
        let holder = Mutex<LocalTLSServer?>(nil)
        let server = try LocalTLSServer.plain { _ in
            holder.withLock(\.self)?.stop()
            return .text("bye")
        }
        holder.withLock { $0 = server }
        let client = try PlainClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        _ = client.receiveAll()
        server.stop()
        #expect(server.log.openConnections == 0)
        #expect(throws: PlainClient.Failure.self) { try PlainClient(port: server.port) }
    }

    @Test func `several may stop a server at once`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        let client = try PlainClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(await server.waitUntil { $0.requests.count == 1 })
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { server.stop() } }
        }
        #expect(client.receive() == .end)
        #expect(server.log.openConnections == 0)
    }

    @Test func `a handler that holds its server does not keep it after the stop`() throws {
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let held = Token()
            token = held
            let server = try LocalTLSServer.plain { _ in
                withExtendedLifetime(held) { .text("") }
            }
            server.stop()
            withExtendedLifetime(server) {}
        }
        #expect(token == nil)
    }

    @Test func `waiting ends with the time or with what is waited for`() throws {
        let server = try LocalTLSServer.plain()
        #expect(server.waitUntil(timeout: 0) { $0.connections == 0 })
        #expect(!server.waitUntil(timeout: 0.01) { $0.connections == 1 })
        let client = try PlainClient(port: server.port)
        #expect(server.waitUntil(timeout: .infinity) { $0.connections == 1 })
        withExtendedLifetime(client) {}
    }

    @Test func `many clients at once are all served`() async throws {
        let world = try TestWorld()
        let server = try world.server { .text($0.path) }
        let (port, roots) = (server.port, world.roots)
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let url = try #require(URL(string: "https://localhost:\(port)/\(number)"))
                    return try ClientTool.curl(url, roots: roots).text
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts == Set((0..<8).map { "/\($0)" }))
        #expect(await server.waitUntil { $0.openConnections == 0 })
        #expect(server.log.connections == 8)
    }

    @Test func `servers that come and go leave nothing behind`() async {
        // In a process of its own, where nobody else opens files and starts threads.
        await #expect(processExitsWith: .success) {
            func count(_ path: String) throws -> Int { try FileManager.default.contentsOfDirectory(atPath: path).count }
            func serve() throws {
                let authority = try LocalCertificateAuthority()
                let tls = try LocalTLSServer(identity: authority.issue())
                let plain = try LocalTLSServer.plain { _ in .text("hello") }
                let halfway = try PlainClient(port: tls.port)
                let client = try PlainClient(port: plain.port)
                try client.send("GET / HTTP/1.1\r\n\r\n")
                precondition(client.receive(upTo: "hello").hasSuffix("hello"))
                precondition(tls.waitUntil { $0.openConnections == 1 })
                tls.stop()
                withExtendedLifetime(halfway) {}
            }
            try serve()
            let (files, threads) = (try count("/proc/self/fd"), try count("/proc/self/task"))
            for _ in 0..<20 { try serve() }
            let (filesLeft, threadsLeft) = (try count("/proc/self/fd"), try count("/proc/self/task"))
            // A leak of any kind comes to 20 or more; a worker or two of Dispatch's may have come meanwhile.
            precondition(filesLeft - files < 10 && threadsLeft - threads < 10)
        }
    }

    @Test func `a client that goes away does not end the process`() async throws {
        let server = try LocalTLSServer.plain { request in
            .init(body: Data(count: request.path == "/large" ? 16 << 20 : 2))
        }
        do {
            let client = try PlainClient(port: server.port)
            try client.send("GET /large HTTP/1.1\r\n\r\n")
            #expect(client.receive() != .nothing)
        }
        #expect(await server.waitUntil { $0.openConnections == 0 })
        let client = try PlainClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        #expect(client.receiveAll().hasPrefix("HTTP/1.1 200 OK"))
    }

    @Test func `the same port of the other address is kept free of others`() throws {
        let world = try TestWorld()
        let server = try world.server()
        let curl = try ClientTool.curl(server.url(host: "::1"), roots: world.roots, "-g")
        #expect(curl.status == 7)
    }
}
