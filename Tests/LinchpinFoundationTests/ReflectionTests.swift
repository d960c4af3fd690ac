import Foundation
import FoundationNetworking
import LinchpinSession
import LinchpinTestSupport
import LinchpinTesting
import Testing

@testable import LinchpinFoundation

@Suite struct ReflectionTests {
    private static let url = URL(string: "https://localhost/")

    private func urlProtocol() throws -> LinchpinURLProtocol {
        LinchpinURLProtocol(request: URLRequest(url: try #require(Self.url)), cachedResponse: nil, client: nil)
    }

    @Test func `a task without a URL session is not understood`() {
        #expect(TaskParts(URLSessionTask()) == nil)
    }

    @Test func `a file is put where Foundation looks for it, and nothing else changes`() throws {
        let urlProtocol = try urlProtocol()
        let client = try #require(urlProtocol.client as AnyObject?)
        for name in ["first", "second"] {
            let file = URL(fileURLWithPath: "/\(name)")
            #expect(urlProtocol.setTemporaryFile(file))
            let properties = TaskParts.property("properties", of: urlProtocol)
            #expect(properties.map { "\($0)" }?.contains(name) == true)
            #expect(urlProtocol.request.url == Self.url)
            #expect(urlProtocol.client as AnyObject? === client)
            #expect(urlProtocol.cachedResponse == nil)
            #expect(urlProtocol.task == nil)
            #expect(urlProtocol.transfer == nil)
        }
    }

    @Test func `nothing outlives a URL session and its tasks`() async throws {
        let world = try World()
        let server = try world.server { $0.path == "/hold" ? .fault(.hold) : .text("hello") }
        weak var session: Session?
        weak var transfer: AnyObject?
        do {
            let pinned = try world.pinned()
            session = pinned
            let recorder = Recorder()
            let client = URLSession(carriedBy: pinned, delegate: recorder)
            _ = try await client.data(from: server.url)
            _ = await recorder.run(client.dataTask(with: server.url))
            _ = await recorder.run(client.downloadTask(with: server.url))
            let held = client.dataTask(with: server.url(host: "localhost", path: "/hold"))
            held.resume()
            #expect(await server.waitUntil { $0.requestCount == 4 })
            transfer =
                TaskParts.property("_protocolStorage", of: held)
                .flatMap { Mirror(reflecting: $0).children.first?.value as? LinchpinURLProtocol }?.transfer
            #expect(transfer != nil)
            held.cancel()
            client.finishTasksAndInvalidate()
        }
        #expect(try await eventually { session == nil && transfer == nil })
        #expect(await server.waitUntil { $0.openConnections == 0 })
    }
}
