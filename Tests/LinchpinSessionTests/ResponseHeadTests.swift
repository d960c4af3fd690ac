import Foundation
import LinchpinTesting
import Testing

@testable import LinchpinSession

/// Heads and trailers as servers send them.
@Suite struct ResponseHeadTests {
    /// A server that answers with these bytes.
    private func server(_ answer: String) throws -> LocalTLSServer {
        try LocalTLSServer.plain { _ in .fault(.raw(Data(answer.utf8))) }
    }

    private static let chunks = "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\n\(chunks)\r\n",
        "HTTP/1.1 200 OK\r\n\(chunks)X-Sum: 1\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\(chunks)X-Sum: 1\r\nX-Time: 2\r\n\r\n",
    ])
    func `a body with or without trailers is a response`(_ answer: String) async throws {
        let server = try server(answer)
        let response = await Session().get(server.url)
        #expect(response.text == "hello")
        #expect(response.headers["X-Sum"] == nil)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nX-Some",
        "HTTP/1.1 200 OK\r\nX-Some: 1\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nX-Some: 1\r\n",
    ])
    func `a head that breaks off is no response`(_ answer: String) async throws {
        let server = try server(answer)
        let response = await Session().get(server.url)
        #expect(response.error?.transportError?.code == .badServerResponse)
    }

    @Test func `a field in ISO 8859-1 is read as that, and one in UTF-8 as that`() async throws {
        let head = Data("HTTP/1.1 200 OK\r\nX-U: caf\u{e9}\r\nX-L: caf".utf8)
        let rest = Data("\r\nContent-Length: 2\r\n\r\nok".utf8)
        let server = try LocalTLSServer.plain { _ in .fault(.raw(head + [0xE9] + rest)) }
        let response = await Session().get(server.url)
        #expect(response.text == "ok")
        #expect(response.headers["X-U"] == "café")
        #expect(response.headers["X-L"] == "café")
    }

    /// The loop must not spend its time on one server's head.
    @Test(arguments: [(900, true), (1_100, false), (30_000, false)])
    func `a head of too many lines is refused, in no time`(_ count: Int, isAccepted: Bool) async throws {
        let fields = (0..<count).map { "\($0): \r\n" }.joined()
        let server = try server("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n")
        let start = ContinuousClock.now
        let response = await Session().get(server.url)
        #expect(start.duration(to: .now) < .seconds(5))
        #expect(response.error?.transportError?.code == (isAccepted ? nil : .badServerResponse))
        if isAccepted { #expect(response.headers.count == count + 1) }
    }

    @Test func `repeated fields are joined under the spelling that came first`() {
        var headers: HTTPHeaders = ["B": "0"]
        for (name, value) in [("x-a", "1"), ("X-A", "2"), ("X-a", "3")] { headers.append(name: name, value: value) }
        #expect(headers.dictionary == ["B": "0", "x-a": "1, 2, 3"])
    }
}
