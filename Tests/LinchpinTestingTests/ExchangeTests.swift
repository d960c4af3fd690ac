import Foundation
import LinchpinTesting
import Testing

@Suite struct ExchangeTests {
    typealias Response = LocalTLSServer.Response

    @Test func `two requests share a connection`() throws {
        let world = try TestWorld()
        let server = try world.server { .text($0.path) }
        let curl = try ClientTool.curl(
            server.url(host: "localhost", path: "/a?b=c&d"),
            roots: world.roots,
            server.url.absoluteString + "second"
        )
        #expect(curl.text == "/second/a")
        let log = server.log
        #expect(log.requests.map(\.connection) == [1, 1])
        #expect(log.connections == 1)
        #expect(log.handshakes.count == 1)
        #expect(log.requests.map(\.query) == [nil, "b=c&d"])
        #expect(log.requests.map(\.target) == ["/second", "/a?b=c&d"])
    }

    @Test(arguments: [true, false]) func `a connection is closed when either side says so`(byClient: Bool) throws {
        let world = try TestWorld()
        let close = [LocalTLSServer.Header("Connection", "close")]
        let server = try world.server { .text($0.path, headers: byClient ? [] : close) }
        let more = byClient ? "Connection: close" : "X-Nothing: special"
        let curl = try ClientTool.curl(
            server.url(host: "localhost", path: "/a"),
            roots: world.roots,
            "-H",
            more,
            server.url.absoluteString + "b"
        )
        #expect(curl.text == "/b/a")
        #expect(server.log.requests.map(\.connection) == [1, 2])
    }

    @Test func `headers are found in any case`() throws {
        let world = try TestWorld()
        let server = try world.server { request in
            Response(headers: [.init("X-Echo", request.header("x-tEst") ?? "none")])
        }
        let curl = try ClientTool.curl(
            server.url,
            roots: world.roots,
            "-i",
            "-H",
            "X-Test:  one two ",
            "-H",
            "x-test: three"
        )
        #expect(curl.text.contains("X-Echo: one two\r\n"))
        #expect(server.log.requests.first?.headers("X-TEST") == ["one two", "three"])
        #expect(server.log.requests.first?.header("absent") == nil)
        #expect(server.log.requests.first?.headers.first == .init("Host", "localhost:\(server.port)"))
    }

    @Test(arguments: ["Content-Length", "chunked"]) func `a body arrives whole`(framing: String) throws {
        let world = try TestWorld()
        let body = (0..<300_000).map { "\($0 % 10)" }.joined()
        let file = try world.directory.write(body, to: "body")
        let server = try world.server { Response(body: $0.body) }
        let header = framing == "chunked" ? "Transfer-Encoding: chunked" : "X-Nothing: special"
        let curl = try ClientTool.curl(server.url, roots: world.roots, "-H", header, "--data-binary", "@" + file)
        #expect(curl.text == body)
        let request = try #require(server.log.requests.first)
        #expect(request.method == "POST")
        #expect(request.body == Data(body.utf8))
        #expect(server.log.bytesReceived > body.utf8.count)
        #expect(server.log.rawBytes.starts(with: Data("POST / HTTP/1.1\r\n".utf8)))
    }

    @Test(arguments: [Response.Framing.contentLength, .chunked(size: 3), .close])
    func `a body is sent in every framing`(framing: Response.Framing) throws {
        let world = try TestWorld()
        let server = try world.server { _ in Response(body: Data("0123456789".utf8), framing: framing) }
        let curl = try ClientTool.curl(server.url, roots: world.roots)
        #expect(curl.status == 0)
        #expect(curl.text == "0123456789")
    }

    @Test(arguments: [204, 304]) func `a status without a body has none`(status: Int) throws {
        let server = try LocalTLSServer.plain { _ in Response(status: status, body: Data("body".utf8)) }
        let client = try PlainClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        let parts = client.receiveAll().components(separatedBy: "\r\n\r\n")
        #expect(parts.count == 3)
        #expect(!parts.joined().contains("body"))
        #expect(!parts.joined().contains("Content-Length"))
    }

    @Test func `HEAD is told the length and gets no body`() throws {
        let server = try LocalTLSServer.plain { _ in .text("12345") }
        let client = try PlainClient(port: server.port)
        try client.send("HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n")
        let answer = client.receiveAll()
        #expect(answer.contains("Content-Length: 5\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    @Test func `requests that come together are answered in order`() throws {
        let server = try LocalTLSServer.plain { .text($0.path) }
        let client = try PlainClient(port: server.port)
        try client.send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.0\r\n\r\n")
        let answer = client.receiveAll()
        #expect(answer.components(separatedBy: "HTTP/1.1 200 OK").count == 4)
        #expect(server.log.requests.map(\.path) == ["/1", "/2", "/3"])
        #expect(server.log.connections == 1)
    }

    @Test func `an expectation is met before the body`() throws {
        let server = try LocalTLSServer.plain { .text("\($0.body.count)") }
        let client = try PlainClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
        #expect(client.receive(upTo: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send("body")
        #expect(client.receive(upTo: "\r\n\r\n4").hasSuffix("\r\n\r\n4"))
    }

    @Test func `an expectation can be refused without the body`() throws {
        var configuration = LocalTLSServer.Configuration()
        configuration.expectation = .handle
        let server = try LocalTLSServer.plain(configuration: configuration) {
            Response(status: $0.body.isEmpty ? 417 : 200)
        }
        let client = try PlainClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
        let answer = client.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 417 Expectation Failed\r\n"))
        #expect(answer.contains("Connection: close\r\n"))
        let plain = try PlainClient(port: server.port)
        try plain.send("PUT / HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody")
        #expect(plain.receive(upTo: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `an expectation can be passed over`() throws {
        var configuration = LocalTLSServer.Configuration()
        configuration.expectation = .ignore
        let server = try LocalTLSServer.plain(configuration: configuration)
        let client = try PlainClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbody")
        #expect(client.receive(upTo: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", "400"), ("GET /\r\n\r\n", "400"), ("GET / HTTP/2.0\r\n\r\n", "505"),
        ("PUT / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "413"),
    ]) func `what is no request is refused and counted`(text: String, status: String) throws {
        let server = try LocalTLSServer.plain()
        let client = try PlainClient(port: server.port)
        try client.send(text)
        #expect(client.receiveAll().hasPrefix("HTTP/1.1 \(status) "))
        #expect(server.log.requests.isEmpty)
        #expect(server.log.bytesReceived == text.utf8.count)
        #expect(server.log.rawBytes == Data(text.utf8))
    }

    @Test func `half a request is counted and is no request`() throws {
        let server = try LocalTLSServer.plain()
        let client = try PlainClient(port: server.port)
        try client.send("GET / HTT")
        #expect(server.waitUntil { $0.bytesReceived == 9 })
        #expect(server.log.requests.isEmpty)
        client.finish()
        #expect(client.receiveAll().isEmpty)
        #expect(server.waitUntil { $0.openConnections == 0 })
    }

    @Test func `counts alone are kept when that is wanted`() throws {
        let server = try LocalTLSServer.plain(configuration: .init(recording: .counts))
        let client = try PlainClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        _ = client.receiveAll()
        #expect(server.log.requestCount == 1)
        #expect(server.log.requests.isEmpty)
        #expect(server.log.bytesReceived > 0)
        #expect(server.log.rawBytes.isEmpty)
    }

    @Test func `a redirect and JSON carry their headers`() throws {
        let server = try LocalTLSServer.plain { request in
            request.path == "/json" ? .json("{}") : .redirect(to: "/json", status: 307)
        }
        let curl = try ClientTool.curl(server.url(host: "127.0.0.1"), roots: nil, "-iL")
        #expect(curl.text.contains("HTTP/1.1 307 Temporary Redirect\r\nLocation: /json\r\n"))
        #expect(curl.text.contains("Content-Type: application/json\r\n"))
    }

    @Test(arguments: [true, false]) func `a proxy tunnels to another server`(isTLS: Bool) throws {
        let world = try TestWorld()
        let server = try world.server()
        let port = server.port
        let answer: @Sendable (LocalTLSServer.Request) -> Response = { request in
            request.method == "CONNECT" ? .tunnel(toPort: port) : Response(status: 403)
        }
        let proxy = try isTLS ? world.server(handler: answer) : LocalTLSServer.plain(handler: answer)
        let body = String(repeating: "0123456789", count: 100_000)
        let file = try world.directory.write(body, to: "body")
        let curl = try ClientTool.curl(
            server.url,
            roots: world.roots,
            "--proxy-cacert",
            world.roots,
            "--data-binary",
            "@" + file,
            "-x",
            proxy.url.absoluteString,
            "--noproxy",
            ""
        )
        #expect(curl.text == "hello", "\(curl.errors)")
        #expect(server.log.requests.first?.body == Data(body.utf8))
        #expect(server.log.handshakes.first?.serverName == "localhost")
        #expect(proxy.log.requests.map(\.method) == ["CONNECT"])
        #expect(proxy.log.requests.map(\.target) == ["localhost:\(port)"])
        #expect(proxy.waitUntil { $0.openConnections == 0 })
        #expect(proxy.log.bytesReceived < 1000)
    }

    @Test func `a tunnel to nobody is a bad gateway`() throws {
        let nobody = try LocalTLSServer.plain()
        nobody.stop()
        let proxy = try LocalTLSServer.plain { [port = nobody.port] _ in .tunnel(toPort: port) }
        let client = try PlainClient(proxy)
        try client.send("CONNECT localhost:1 HTTP/1.1\r\nConnection: close\r\n\r\n")
        #expect(client.receiveAll().hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
    }

    @Test func `what follows CONNECT at once goes through the tunnel`() throws {
        let server = try LocalTLSServer.plain { .text($0.path) }
        let proxy = try LocalTLSServer.plain { [port = server.port] _ in .tunnel(toPort: port) }
        let client = try PlainClient(proxy)
        try client.send("CONNECT a:1 HTTP/1.1\r\n\r\nGET /through HTTP/1.1\r\nConnection: close\r\n\r\n")
        let answer = client.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 200 Connection established\r\n\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n/through"))
        #expect(server.log.requestCount == 1)
        #expect(proxy.log.requestCount == 1)
    }

    @Test func `a tunnel ends with its proxy`() throws {
        let server = try LocalTLSServer.plain()
        let proxy = try LocalTLSServer.plain { [port = server.port] _ in .tunnel(toPort: port) }
        let client = try PlainClient(proxy)
        try client.send("CONNECT a:1 HTTP/1.1\r\n\r\n")
        #expect(client.receive(upTo: "\r\n\r\n").contains("200"))
        proxy.stop()
        #expect(client.receive() == .end)
        #expect(server.waitUntil { $0.connections == 1 && $0.openConnections == 0 })
    }

    @Test func `a client of HTTP/1.0 is told that the connection is kept`() throws {
        let server = try LocalTLSServer.plain()
        let client = try PlainClient(server)
        try client.send("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
        #expect(client.receive(upTo: "\r\n\r\n").contains("Connection: keep-alive\r\n"))
        try client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(client.receiveAll().contains("Connection: close\r\n"))
        #expect(server.log.requests.map(\.connection) == [1, 1])
    }

    @Test func `URLs name scheme, host and port`() throws {
        let world = try TestWorld()
        let tls = try world.server()
        #expect(tls.url.absoluteString == "https://localhost:\(tls.port)/")
        #expect(tls.url(host: "::1", path: "/a?b").absoluteString == "https://[::1]:\(tls.port)/a?b")
        #expect(try LocalTLSServer.plain().url.scheme == "http")
    }

    @Test func `IPv6 is served on its own address`() throws {
        let world = try TestWorld()
        let server = try world.server(.init(address: .ipv6))
        #expect(server.url.absoluteString == "https://[::1]:\(server.port)/")
        #expect(try ClientTool.curl(server.url, roots: world.roots, "-g").text == "hello")
        #expect(try ClientTool.curl(server.url(host: "127.0.0.1"), roots: world.roots).status == 7)
    }
}
