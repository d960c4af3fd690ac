import Foundation
import LinchpinTesting
import Testing

@Suite struct FaultTests {
    typealias Response = LocalTLSServer.Response
    static let request = "GET / HTTP/1.1\r\n\r\n"

    /// A server of plain HTTP with that fault, and a client that has asked it.
    private func asked(_ response: Response) throws -> (LocalTLSServer, PlainClient) {
        let server = try LocalTLSServer.plain { _ in response }
        let client = try PlainClient(server)
        try client.send(Self.request)
        return (server, client)
    }

    @Test func `a held request is never answered, and ends with the client`() throws {
        let (server, client) = try asked(.fault(.hold))
        #expect(server.waitUntil { $0.requests.count == 1 })
        #expect(client.receive(waiting: false) == .nothing)
        try client.send("more")
        #expect(server.waitUntil { $0.bytesReceived == Self.request.utf8.count + 4 })
        #expect(server.log.openConnections == 1)
        client.finish()
        #expect(server.waitUntil { $0.openConnections == 0 })
    }

    @Test func `a held request ends with the server`() throws {
        let (server, client) = try asked(.fault(.hold))
        #expect(server.waitUntil { $0.requests.count == 1 })
        server.stop()
        #expect(client.receive() == .end)
    }

    @Test func `a delayed answer comes whole`() throws {
        let start = ContinuousClock.now
        let (_, client) = try asked(Response(body: Data("late".utf8), fault: .delay(seconds: 0.05)))
        #expect(client.receive(upTo: "late").hasSuffix("\r\n\r\nlate"))
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test func `a body trickles`() throws {
        let start = ContinuousClock.now
        let body = Data("0123456789".utf8)
        let (_, client) = try asked(Response(body: body, fault: .trickle(bytesPerChunk: 4, every: 0.02)))
        #expect(client.receive(upTo: "89").hasSuffix("\r\n\r\n0123456789"))
        #expect(ContinuousClock.now - start >= .milliseconds(60))
    }

    @Test func `a trickle ends with the server`() throws {
        let (server, client) = try asked(Response(body: Data(count: 100), fault: .trickle(bytesPerChunk: 1, every: 60)))
        #expect(client.receive(upTo: "\r\n\r\n").contains("Content-Length: 100"))
        let start = ContinuousClock.now
        server.stop()
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(client.receive() != .nothing)
    }

    @Test func `a reset is a reset`() throws {
        let (_, client) = try asked(.fault(.reset))
        #expect(client.receive() == .reset)
    }

    @Test func `a close without an answer is an orderly end`() throws {
        let (_, client) = try asked(.fault(.close))
        #expect(client.receive() == .end)
    }

    @Test(arguments: [0, 4]) func `a body is cut off`(count: Int) throws {
        let (_, client) = try asked(Response(body: Data("0123456789".utf8), fault: .closeAfter(bytes: count)))
        let answer = client.receiveAll()
        #expect(answer.contains("Content-Length: 10\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n" + "0123456789".prefix(count)))
    }

    @Test func `a body stalls`() throws {
        let (server, client) = try asked(Response(body: Data("0123456789".utf8), fault: .holdAfter(bytes: 4)))
        #expect(client.receive(upTo: "0123").hasSuffix("\r\n\r\n0123"))
        #expect(client.receive(waiting: false) == .nothing)
        #expect(server.log.openConnections == 1)
    }

    @Test func `raw bytes are sent as they are`() throws {
        let (_, client) = try asked(.fault(.raw(Data("no HTTP\n".utf8))))
        #expect(client.receiveAll() == "no HTTP\n")
    }

    @Test(arguments: [
        (LocalTLSServer.Fault.close, [Int32(52)]), (.reset, [56]), (.closeAfter(bytes: 2), [18, 56]),
        (.raw(Data("garbage\r\n\r\n".utf8)), [1]),
    ])
    func `curl notices the fault over TLS`(fault: LocalTLSServer.Fault, codes: [Int32]) throws {
        let world = try TestWorld()
        let server = try world.server { request in
            Response(body: Data("hello".utf8), fault: request.path == "/fine" ? nil : fault)
        }
        #expect(try codes.contains(ClientTool.curl(server.url, roots: world.roots).status))
        let fine = server.url(host: "localhost", path: "/fine")
        #expect(try ClientTool.curl(fine, roots: world.roots).text == "hello")
    }

    @Test func `a held handshake never begins`() throws {
        let world = try TestWorld()
        let server = try world.server(.init(connectionFault: .holdHandshake))
        let client = try PlainClient(port: server.port)
        try client.send("whatever a client says first")
        #expect(server.waitUntil { $0.openConnections == 1 })
        #expect(client.receive(waiting: false) == .nothing)
        #expect(server.log.handshakeCount == 0)
        #expect(server.log.bytesReceived == 0)
        server.stop()
        #expect([.end, .reset].contains(client.receive()))
    }

    @Test(arguments: [
        (LocalTLSServer.Configuration.ConnectionFault.close, [PlainClient.Arrival.end]),
        (.reset, [.reset]), (.raw(Data("220 ready\r\n".utf8)), [.bytes("220 ready\r\n")]),
    ])
    func `a connection goes wrong before any handshake, until that is over`(
        fault: LocalTLSServer.Configuration.ConnectionFault,
        arrivals: [PlainClient.Arrival]
    ) throws {
        let world = try TestWorld()
        let server = try world.server(.init(connectionFault: fault))
        let client = try PlainClient(server)
        try client.send("hello")
        #expect(arrivals.contains(client.receive()))
        #expect(try ClientTool.curl(server.url, roots: world.roots).status == 35)
        server.setConnectionFault(nil)
        #expect(try ClientTool.curl(server.url, roots: world.roots).text == "hello")
        #expect(server.log.handshakes.count == 1)
    }

    @Test func `a client that ends before it says anything is a failed handshake`() throws {
        let world = try TestWorld()
        let server = try world.server()
        try PlainClient(port: server.port).finish()
        #expect(server.waitUntil { $0.handshakeCount == 1 })
        #expect(server.log.handshakes.map(\.completed) == [false])
        #expect(server.log.handshakes.first?.alertReceived == nil)
    }
}
