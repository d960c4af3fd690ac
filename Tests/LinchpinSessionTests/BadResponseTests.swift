import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// What servers send that is not a response: one error that names it, and the session goes on.
@Suite struct BadResponseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: Data
        let code: TransportError.Code
        /// What the error has to say.
        var words = ""

        init(_ testDescription: String, _ answer: String, _ code: TransportError.Code, _ words: String = "") {
            self.init(testDescription, Data(answer.utf8), code, words)
        }

        init(_ testDescription: String, _ answer: Data, _ code: TransportError.Code, _ words: String = "") {
            self.testDescription = testDescription
            self.answer = answer
            self.code = code
            self.words = words
        }
    }

    private static let head = "HTTP/1.1 200 OK\r\n"
    private static let gzip = Data(base64Encoded: "H4sIAAAAAAAAA8tIzcnJ11HIGKVQKQAyhhHlGAEAAA==") ?? Data()

    private static func encoded(_ coding: String, _ body: Data) -> Data {
        Data("\(head)Content-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    static let rows = [
        Row("nothing at all", "", .connectionLost),
        Row("a status line that is none", "garbage\r\n\r\n", .badServerResponse),
        Row("binary", Data([0x16, 0x03, 0x01, 0x00, 0x00, 0x0D, 0x0A, 0x0D, 0x0A]), .badServerResponse),
        Row("a version that nobody has", "HTTP/7.3 200 OK\r\n\r\n", .badServerResponse),
        Row("a status of two digits", "HTTP/1.1 20\r\n\r\n", .badServerResponse),
        Row("another protocol", "HTTP/1.1 101 x\r\nUpgrade: x\r\n\r\nhello", .badServerResponse, "protocol"),
        Row("a head that breaks off", "\(head)X: 1\r\n", .badServerResponse),
        Row(
            "a megabyte of fields",
            head + String(repeating: "X: \(String(repeating: "a", count: 1_995))\r\n", count: 500) + "\r\n",
            .responseTooLarge,
            "head"
        ),
        Row("a field of a megabyte", head + "X: \(String(repeating: "a", count: 1 << 20))\r\n\r\n", .responseTooLarge),
        Row("a short body", "\(head)Content-Length: 10\r\n\r\nfour", .connectionLost, "remaining"),
        Row("a length that is none", "\(head)Content-Length: x\r\n\r\nfour", .badServerResponse),
        Row("a negative length", "\(head)Content-Length: -4\r\n\r\nfour", .badServerResponse),
        Row("two lengths", "\(head)Content-Length: 2\r\nContent-Length: 4\r\n\r\nfour", .badServerResponse, "lengths"),
        Row("two lengths in a field", "\(head)Content-Length: 2, 4\r\n\r\nfour", .badServerResponse, "lengths"),
        Row(
            "a chunk without a size",
            "\(head)Transfer-Encoding: chunked\r\n\r\nxyz\r\nfour\r\n",
            .badServerResponse,
            "chunk"
        ),
        Row(
            "a chunk that is longer than it says",
            "\(head)Transfer-Encoding: chunked\r\n\r\n2\r\nfour\r\n0\r\n\r\n",
            .badServerResponse,
            "chunk"
        ),
        Row(
            "a chunk of a size above all numbers",
            "\(head)Transfer-Encoding: chunked\r\n\r\n\(String(repeating: "f", count: 20))\r\nfour\r\n",
            .badServerResponse,
            "chunk"
        ),
        Row("chunks without an end", "\(head)Transfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n", .connectionLost),
        Row("gzip that is none", encoded("gzip", Data("this is no gzip stream".utf8)), .undecodableBody),
        Row(
            "gzip with a bit turned",
            encoded("gzip", Data(gzip.enumerated().map { $0 == 12 ? ~$1 : $1 })),
            .undecodableBody
        ),
        Row("br that is none", encoded("br", Data("this is no br stream".utf8)), .undecodableBody),
        Row("zstd that is none", encoded("zstd", Data("this is no zstd stream".utf8)), .undecodableBody),
        Row("a coding that nobody knows", encoded("aws-chunked", Data("x".utf8)), .undecodableBody),
    ]

    @Test(arguments: rows, [false, true])
    func `a bad response is an error that names it, and the session goes on`(_ row: Row, isSecure: Bool) async throws {
        let world = try World()
        let handler: @Sendable (LocalTLSServer.Request) -> LocalTLSServer.Response = {
            $0.path == "/bad" ? .fault(.raw(row.answer)) : .text("hello")
        }
        let server =
            try isSecure
            ? LocalTLSServer(identity: world.identity, handler: handler) : LocalTLSServer.plain(handler: handler)
        let session = isSecure ? Session(serverTrustManager: try world.manager()) : Session()
        #expect(await session.get(server.url).text == "hello")
        let response = await session.get(server.url(host: "localhost", path: "/bad"), timeouts: Timeouts(idle: 20))
        let error = response.error?.transportError
        #expect(error?.code == row.code, "\(String(describing: response.error))")
        #expect(row.words.isEmpty || error?.message.contains(row.words) == true, "\(String(describing: error))")
        #expect(await session.get(server.url).text == "hello")
        // The connection is gone with what it carried.
        #expect(await server.waitUntil { $0.openConnections == 1 })
    }

    /// Bytes that follow what is a response.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfourHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nfour and more",
        "HTTP/1.1 200 OK\r\nContent-Length: 4, 4\r\n\r\nfour and more",
        "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison",
    ])
    func `what follows a response is no part of it, nor of the next one`(_ answer: String) async throws {
        let server = try LocalTLSServer.plain { request in
            guard request.path == "/long" else { return .text("hello") }
            return .fault(.raw(Data(answer.utf8)))
        }
        let session = Session()
        let response = await session.get(server.url(host: "localhost", path: "/long"))
        #expect(
            response.error?.transportError == nil && ["four", ""].contains(response.body),
            "\(String(describing: response.error))"
        )
        #expect(await session.get(server.url).text == "hello")
    }

    // MARK: - Limits

    private static func server(_ coding: String, _ body: Data) throws -> LocalTLSServer {
        try LocalTLSServer.plain { request in
            request.path == "/" ? .text("hello") : .init(headers: [.init("Content-Encoding", coding)], body: body)
        }
    }

    /// 64 MiB of zeros, encoded twice.
    private static let bomb = Data(
        base64Encoded: """
            H4sIAAAAAAACA+3cr05CcRTA8YtcNyYbYiAZ5BGIFAYazAbNjgcgkmVzJgsvQWZjc7PSeAO02f0TnDM5L9z7GL/z+aSTTzw7
            +549NrLSQf1jXavth9n8f/nVOMoAAACAxM1e7+vlMSDrFtvLqxsAAAAgdePjVl4dBf5uT8+tAwAAAJL3MOi3qw+B77tJbh0A
            AACQvM7v26i6BWyKp5Nr+wAAAIDkvQgGAAAAQCiCAQAAABCLYAAAAADEIhgAAAAAwQgGAAAAQCyCAQAAABCLYAAAAADEIhgA
            AAAAwQgGAAAAQCyCAQAAABDLYtDvlo8B7Z9iOrw4zAAAAIjkufnZe1/th3wHPEzs+uL+AAA=
            """,
        options: .ignoreUnknownCharacters
    )

    /// 9 MiB of zeros, encoded twice.
    private static let firework = Data(
        base64Encoded: """
            H4sIAAAAAAACA+3YvRHBcByA4V/EnVAwAmawQxqNRq1QZQq5U2qyiDNDpsjZIWzg6z+G3PNU7wzv8lJEMsr7Nst+UTfv27OY
            BQAAADBw9f2cpxkQq09X7vYAAADA0FWL+TS9gPHr9JhszBH4R4frdn2MaOILEzW/8PQjAAA=
            """,
        options: .ignoreUnknownCharacters
    )

    @Test func `a body that decoding blows up is an error long before its end`() async throws {
        let server = try Self.server("gzip, gzip", #require(Self.bomb))
        let session = Session()
        let url = server.url(host: "localhost", path: "/bomb")
        let response = await session.get(url)
        #expect(response.error?.transportError?.code == .responseTooLarge, "\(String(describing: response.error))")
        #expect("\(String(describing: response.error))".contains("decoding"))
        #expect(await session.get(server.url).text == "hello")
        let trusting = Session(configuration: .with { $0.responseLimits.decompressionRatio = nil })
        #expect(await trusting.get(url).value?.count == 64 << 20)
    }

    @Test func `a small body may become many times as large`() async throws {
        let server = try Self.server("gzip, gzip", #require(Self.firework))
        let response = await Session().get(server.url(host: "localhost", path: "/firework"))
        #expect(response.value?.count == 9 << 20, "\(String(describing: response.error))")
    }

    @Test(arguments: [LocalTLSServer.Response.Framing.contentLength, .chunked(size: 1_000), .close])
    func `a body above the limit is an error, one at the limit is none`(
        _ framing: LocalTLSServer.Response.Framing
    ) async throws {
        let body = Data(repeating: 65, count: 10_000)
        let server = try LocalTLSServer.plain { _ in .init(body: body, framing: framing) }
        let atLimit = Session(configuration: .with { $0.responseLimits.bodyBytes = 10_000 })
        #expect(await atLimit.get(server.url).value == body)
        let below = Session(configuration: .with { $0.responseLimits.bodyBytes = 9_999 })
        let response = await below.get(server.url)
        #expect(response.error?.transportError?.code == .responseTooLarge)
        #expect(response.value == nil)
    }

    @Test func `a head above the limit is an error, one below it is none`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .text("hello", headers: [.init("X-Long", String(repeating: "a", count: 5_000))])
        }
        for (limit, isAccepted) in [(5_500, true), (5_000, false)] {
            let session = Session(configuration: .with { $0.responseLimits.headerBytes = limit })
            let response = await session.get(server.url)
            #expect(response.error?.transportError?.code == (isAccepted ? nil : .responseTooLarge))
        }
    }
}
