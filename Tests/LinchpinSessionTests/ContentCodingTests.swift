import Foundation
import FoundationNetworking
import LinchpinTesting
import Testing

@testable import LinchpinSession

@Suite struct ContentCodingTests {
    private static let text = String(repeating: "hello, ", count: 40)
    /// ``text`` as gzip, zlib, brotli and zstd of Debian 12 encode it.
    private static let gzip = "H4sIAAAAAAAAA8tIzcnJ11HIGKVQKQAyhhHlGAEAAA=="

    struct Row: Sendable, CustomTestStringConvertible {
        let coding: String
        let body: String
        var testDescription: String { coding }
    }

    @Test(arguments: [
        Row(coding: "gzip", body: gzip),
        Row(coding: "X-GZip", body: gzip),
        Row(coding: "deflate", body: "eJzLSM3JyddRyBilUCkAWrxfAQ=="),
        // Without zlib's frame, as some servers send it.
        Row(coding: "deflate", body: "y0jNycnXUcgYpVApAA=="),
        Row(coding: "br", body: "HxcB+I2Ubt5ECVKGlmwsbzFbJHB5HA=="),
        Row(coding: "zstd", body: "KLUv/QRYdQAAOGhlbGxvLCABAA5SixE1Tem7"),
        Row(coding: "identity, gzip", body: gzip),
    ])
    func `a body is decoded`(_ row: Row) async throws {
        let body = try #require(Data(base64Encoded: row.body))
        let server = try LocalTLSServer.plain { _ in
            .init(headers: [.init("Content-Encoding", row.coding)], body: body)
        }
        let response = await Session().get(server.url)
        #expect(response.text == Self.text, "\(String(describing: response.error))")
        let announced = server.log.requests.first?.header("Accept-Encoding") ?? ""
        #expect(Set(announced.split(separator: ", ")) == ["gzip", "deflate", "br", "zstd"])
    }

    @Test func `what the caller accepts is announced in place of that, and decoded`() async throws {
        let body = try #require(Data(base64Encoded: Self.gzip))
        let server = try LocalTLSServer.plain { _ in .init(headers: [.init("Content-Encoding", "gzip")], body: body) }
        let response = await Session().get(server.url, headers: ["Accept-Encoding": "gzip"])
        #expect(response.text == Self.text)
        #expect(server.log.requests.first?.headers("Accept-Encoding") == ["gzip"])
    }

    @Test(arguments: ["HEAD", "204", "304", "empty"])
    func `a body that is not there is not decoded`(_ kind: String) async throws {
        let server = try LocalTLSServer.plain { _ in
            .init(status: Int(kind) ?? 200, headers: [.init("Content-Encoding", "gzip")])
        }
        var request = URLRequest(url: server.url)
        request.httpMethod = kind == "HEAD" ? "HEAD" : "GET"
        let response = await Session().request(request).serializingData().response
        #expect(response.error?.transportError == nil, "\(String(describing: response.error))")
        #expect(response.body == "")
    }

    @Test func `a coding that says there is none leaves the body as it is`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello", headers: [.init("Content-Encoding", "none")]) }
        #expect(await Session().get(server.url).text == "hello")
    }
}
