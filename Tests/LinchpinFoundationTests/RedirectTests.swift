import Foundation
import FoundationNetworking
import LinchpinSession
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinFoundation

@Suite struct RedirectTests {
    /// `/from` leads to `/to`, `/loop` to itself; the rest says what it is.
    private func server(_ world: World, status: Int = 302) throws -> LocalTLSServer {
        try world.server { request in
            switch request.path {
            case "/from":
                .text("moved", status: status, headers: [.init("Location", "/to"), .init("Set-Cookie", "hop=1")])
            case "/loop": .redirect(to: "/loop")
            default: .text("\(request.method) \(request.path) \(request.body.count)")
            }
        }
    }

    @Test func `a redirect is followed where nobody decides`() async throws {
        let world = try World()
        let server = try server(world)
        let url = server.url(host: "localhost", path: "/from")
        let (data, response) = try await world.client().data(from: url)
        #expect(String(decoding: data, as: UTF8.self) == "GET /to 0")
        #expect(response.url?.path == "/to")
    }

    @Test func `the delegate sees a redirect and lets it go on`() async throws {
        let world = try World()
        let server = try server(world)
        let recorder = Recorder()
        let client = try world.client(delegate: recorder)
        let record = await recorder.run(client.dataTask(with: server.url(host: "localhost", path: "/from")))
        #expect(record.text == "GET /to 0")
        #expect(record.redirects.map(\.response.statusCode) == [302])
        #expect(record.redirects.first?.next.url?.path == "/to")
        #expect(record.responses.map(\.statusCode) == [200])
    }

    @Test func `the delegate changes where a redirect leads`() async throws {
        let world = try World()
        let server = try server(world)
        let recorder = Recorder(onRedirect: { response, next in
            var next = next
            next.url = response.url?.deletingLastPathComponent().appendingPathComponent("elsewhere")
            next.setValue("yes", forHTTPHeaderField: "X-Changed")
            return next
        })
        let client = try world.client(delegate: recorder)
        let record = await recorder.run(client.dataTask(with: server.url(host: "localhost", path: "/from")))
        #expect(record.text == "GET /elsewhere 0")
        #expect(server.log.requests.last?.header("X-Changed") == "yes")
    }

    @Test func `the delegate makes a redirect the response`() async throws {
        let world = try World()
        let server = try server(world)
        let recorder = Recorder(onRedirect: { _, _ in nil })
        let client = try world.client(delegate: recorder)
        let record = await recorder.run(client.dataTask(with: server.url(host: "localhost", path: "/from")))
        #expect(record.status == 302)
        #expect(record.text == "moved")
        #expect(record.ends == [nil])
        #expect(server.log.requestCount == 1)
    }

    @Test func `the delegate of one async call decides about it`() async throws {
        let world = try World()
        let server = try server(world)
        let (own, general) = (Recorder(onRedirect: { _, _ in nil }), Recorder())
        let client = try world.client(delegate: general)
        let request = URLRequest(server.url(host: "localhost", path: "/from"))
        let (_, response) = try await client.data(for: request, delegate: own)
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        #expect(general.noted.redirects.isEmpty)
    }

    @Test func `no byte follows a delegate to a server with a wrong pin`() async throws {
        let (world, stranger) = (try World(), try World())
        let server = try server(world)
        let target = try stranger.server()
        let recorder = Recorder(onRedirect: { _, next in URLRequest(target.url) })
        let client = try world.client(delegate: recorder)
        let record = await recorder.run(client.dataTask(with: server.url(host: "localhost", path: "/from")))
        #expect(record.ends.first??.code == .serverCertificateHasUnknownRoot)
        #expect(target.isUntouched)
        #expect(await target.waitUntil { $0.handshakeCount > 0 })
    }

    @Test func `a redirect to plain HTTP is not followed`() async throws {
        let world = try World()
        let plain = try LocalTLSServer.plain()
        let server = try world.server { _ in .redirect(to: plain.url.absoluteString) }
        #expect(try await world.client().failure(server.url) != nil)
        #expect(plain.log.connections == 0)
    }

    @Test func `a redirect that never ends is an error`() async throws {
        let world = try World()
        let server = try server(world)
        let url = server.url(host: "localhost", path: "/loop")
        #expect(try await world.client().failure(url)?.code == .httpTooManyRedirects)
    }

    @Test func `a body goes where a redirect keeps it`() async throws {
        let world = try World()
        for (status, text) in [(302, "GET /to 0"), (307, "POST /to 4")] {
            let server = try server(world, status: status)
            let request = URLRequest(server.url(host: "localhost", path: "/from"), method: "POST")
            let (data, _) = try await world.client().upload(for: request, from: Data("body".utf8))
            #expect(String(decoding: data, as: UTF8.self) == text)
        }
    }

    @Test func `a stream is not sent twice`() async throws {
        let world = try World()
        let server = try server(world, status: 307)
        let recorder = Recorder(makeStream: { InputStream(data: Data("body".utf8)) })
        let client = try world.client(delegate: recorder)
        let request = URLRequest(server.url(host: "localhost", path: "/from"), method: "POST")
        let record = await recorder.run(client.uploadTask(withStreamedRequest: request))
        #expect(record.ends.first??.code == .requestBodyStreamExhausted)
    }

    @Test func `credentials do not follow a redirect to another origin`() async throws {
        let world = try World()
        let target = try world.server()
        let server = try world.server { _ in .redirect(to: target.url.absoluteString) }
        let client = try world.client { $0.httpAdditionalHeaders = ["X-Token": "secret"] }
        let request = URLRequest(server.url) { $0.setValue("Bearer secret", forHTTPHeaderField: "Authorization") }
        _ = try await client.data(for: request)
        #expect(server.log.requests.first?.header("X-Token") == "secret")
        #expect(target.log.requests.count == 1)
        #expect(target.log.requests.first?.header("X-Token") == nil)
        #expect(target.log.requests.first?.header("Authorization") == nil)
    }
}
