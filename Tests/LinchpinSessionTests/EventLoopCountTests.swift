import Foundation
import LinchpinTestSupport
import LinchpinTesting
import Testing

@testable import LinchpinSession

@Suite struct EventLoopCountTests {
    @Test func `several loops serve their hosts, and each request ends once on its own`() async throws {
        let server = try LocalTLSServer.plain { .text($0.header("Host") ?? "") }
        let configuration = SessionConfiguration.with { $0.eventLoopCount = 4 }
        let session = Session(configuration: configuration)
        let hosts = ["127.0.0.1", "localhost", "LOCALHOST"]
        for host in hosts {
            let url = try #require(URL(string: "http://\(host):\(server.port)/"))
            let response = await session.get(url)
            #expect(response.text?.lowercased() == "\(host.lowercased()):\(server.port)")
        }
        await session.invalidate()
        guard case .sessionInvalidated = await session.get(server.url).error else {
            Issue.record("the session goes on")
            return
        }
    }

    @Test func `requests to hosts of different loops can be cancelled and suspended`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        let session = Session(configuration: .with { $0.eventLoopCount = 3 })
        let requests = try ["127.0.0.1", "localhost"].map {
            session.request(try #require(URL(string: "http://\($0):\(server.port)/"))).resume()
        }
        _ = await server.waitUntil { $0.requests.count == 2 }
        session.cancelAllRequests()
        for request in requests {
            #expect(await request.serializingData().response.error?.isExplicitlyCancelledError == true)
        }
    }
}
