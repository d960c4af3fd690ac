import Foundation
import Testing

@testable import LinchpinTesting

@Suite struct RequestParserTests {
    /// Everything that a text leads to when it comes in pieces of that size.
    private func events(_ text: String, pieces: Int, maximumBodySize: Int = 100) -> [RequestParser.Event] {
        var parser = RequestParser(maximumBodySize: maximumBodySize)
        var events: [RequestParser.Event] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            parser.receive(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
            while case let event = parser.next(), event != .needsMore {
                events.append(event)
                if case .refused = event { return events }
            }
        }
        return events
    }

    private static func message(
        _ method: String,
        _ target: String,
        _ headers: [(String, String)] = [],
        body: String = ""
    ) -> RequestParser.Event {
        .request(
            RequestMessage(
                method: method,
                target: target,
                isHTTP10: false,
                headers: headers.map { .init($0.0, $0.1) },
                body: Data(body.utf8)
            )
        )
    }

    static let cases: [(String, [RequestParser.Event])] = [
        ("GET / HTTP/1.1\r\n\r\n", [message("GET", "/")]),
        ("\r\n\r\nGET / HTTP/1.1\r\n\r\n", [message("GET", "/")]),
        ("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n", [message("GET", "/a"), message("GET", "/b")]),
        (
            "PUT / HTTP/1.1\r\ncontent-length: 5\r\n\r\nhelloGET / HTTP/1.1\r\n\r\n",
            [message("PUT", "/", [("content-length", "5")], body: "hello"), message("GET", "/")]
        ),
        ("PUT / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", [message("PUT", "/", [("Content-Length", "0")])]),
        (
            "PUT / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nT: 1\r\n\r\n",
            [message("PUT", "/", [("Transfer-Encoding", "Chunked")], body: "abc0123456789")]
        ),
        (
            "PUT / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\nx",
            [
                .expectsContinue,
                message("PUT", "/", [("Expect", "100-Continue"), ("Content-Length", "1")], body: "x"),
            ]
        ),
        ("GET /\r\n\r\n", [.refused(status: 400)]),
        ("GET / HTTP/3\r\n\r\n", [.refused(status: 505)]),
        ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", [.refused(status: 400)]),
        ("GET / HTTP/1.1\r\n folded\r\n\r\n", [.refused(status: 400)]),
        ("PUT / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", [.refused(status: 400)]),
        ("PUT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", [.refused(status: 400)]),
        ("PUT / HTTP/1.1\r\nContent-Length: 101\r\n\r\n", [.refused(status: 413)]),
        ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", [.refused(status: 400)]),
        ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", [.refused(status: 400)]),
        ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n", [.refused(status: 413)]),
        ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", [.refused(status: 400)]),
        ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n", [.refused(status: 413)]),
    ]

    @Test(arguments: [1, 2, 3, 7, 1000], cases)
    func `requests are found in pieces of every size`(pieces: Int, example: (String, [RequestParser.Event])) {
        #expect(events(example.0, pieces: pieces) == example.1)
    }

    @Test func `a body of the largest size is read`() {
        let body = String(repeating: "x", count: 100)
        let text = "PUT / HTTP/1.1\r\nContent-Length: 100\r\n\r\n" + body
        #expect(events(text, pieces: 64) == [Self.message("PUT", "/", [("Content-Length", "100")], body: body)])
    }

    @Test func `a head without end is refused`() {
        let text = "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: RequestParser.maximumHeadSize + 1)
        #expect(events(text, pieces: 65_536) == [.refused(status: 431)])
    }

    @Test func `a body that is given up ends the connection`() {
        var parser = RequestParser(maximumBodySize: 100)
        parser.receive(Array("PUT /x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n".utf8))
        #expect(parser.next() == .expectsContinue)
        #expect(parser.abandonBody().target == "/x")
        #expect(parser.next() == .refused(status: 400))
    }
}
