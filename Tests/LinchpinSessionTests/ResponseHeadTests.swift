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
}
