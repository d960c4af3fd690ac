import Foundation
import FoundationNetworking
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// What every request of a session carries, and what it has itself.
@Suite struct SessionFieldTests {
    /// What the server sees of a field in requests one after another, on one connection and one handle.
    private func seen(
        _ name: String,
        of requests: [HTTPHeaders],
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) async throws -> [String?] {
        let server = try LocalTLSServer.plain { _ in .text("ok") }
        let session = Session(configuration: .with(change))
        for headers in requests { #expect(await session.get(server.url, headers: headers).text == "ok") }
        return server.log.requests.map { $0.header(name) }
    }

    @Test func `a request's own field stands for the session's, for that request`() async throws {
        let seen = try await seen("User-Agent", of: [[:], ["user-agent": "mine/1"], [:], ["X-A": "1"]]) {
            $0.headers = ["User-Agent": "session/1"]
        }
        #expect(seen == ["session/1", "mine/1", "session/1", "session/1"])
    }

    @Test func `a request's own fields are in no later request`() async throws {
        #expect(try await seen("X-A", of: [["X-A": "1"], [:], ["X-B": "2"], [:]]) == ["1", nil, nil, nil])
    }

    @Test func `a body's type and length are in no later request`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("ok") }
        let session = Session()
        for method in [HTTPMethod.post, .get] {
            let encoding = JSONEncoding.default
            let parameters: Parameters? = method == .post ? ["a": 1] : nil
            let request = session.request(server.url, method: method, parameters: parameters, encoding: encoding)
            #expect(await request.serializingData().response.status == 200)
        }
        #expect(server.log.requests.map { $0.header("Content-Type") } == ["application/json", nil])
        #expect(server.log.requests.map { $0.header("Content-Length") } == ["7", nil])
        for request in server.log.requests { #expect(request.header("User-Agent")?.contains("Linchpin") == true) }
    }

    @Test(arguments: ["X-Tenant", "Authorization", "Accept-Encoding", "Content-Type"])
    func `a field that means something to the session is sent as well`(_ name: String) async throws {
        let seen = try await seen(name, of: [[:], [name: "b"], [:]]) {
            $0.headers = [.userAgent("x")]; $0.headers[name] = "a"
        }
        #expect(seen == ["a", "b", "a"])
    }

    @Test func `a session without fields sends none of its own`() async throws {
        let seen = try await seen("User-Agent", of: [[:], ["User-Agent": "b"], [:]]) { $0.headers = [:] }
        #expect(seen == [nil, "b", nil])
    }

    @Test func `a field with a line break in it is not sent`() async throws {
        for name in ["User-Agent", "Evil"] {
            let seen = try await seen(name, of: [[:], ["User-Agent": "good"]]) {
                $0.headers = ["User-Agent": "a\r\nEvil: 1"]
            }
            #expect(seen == [nil, name == "Evil" ? nil : "good"])
        }
    }

    @Test func `after a redirect to another origin the session's fields are there, its secrets are not`() async throws {
        let other = try LocalTLSServer.plain { _ in .text("done") }
        let server = try LocalTLSServer.plain { _ in .redirect(to: other.url.absoluteString) }
        for isPlain in [true, false] {
            let session = Session(
                configuration: .with {
                    $0.headers = ["User-Agent": "session/1"]
                    if !isPlain { $0.headers["Authorization"] = "Bearer secret" }
                }
            )
            #expect(await session.get(server.url).text == "done")
            let received = try #require(other.log.requests.last)
            #expect(received.header("User-Agent") == "session/1")
            #expect(received.header("Authorization") == nil)
        }
    }

    @Test func `what is made of a response late is what came`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .fault(
                .raw(
                    Data("HTTP/1.1 201 Created\r\nX-A: 1\r\nx-a: 2\r\nX-L: \u{E9}\r\n".utf8)
                        + Data("X-O: ".utf8) + [0xE9] + Data("\r\nContent-Length: 2\r\n\r\nok".utf8)
                )
            )
        }
        let response = await Session().get(server.url)
        #expect(response.statusCode == 201)
        #expect(response.headers.map(\.name) == ["X-A", "x-a", "X-L", "X-O", "Content-Length"])
        #expect(response.headers["x-a"] == "1, 2")
        #expect(response.headers["X-L"] == "\u{E9}")
        #expect(response.headers["X-O"] == "\u{E9}")
        #expect(response.response?.statusCode == 201)
        #expect(response.response === response.response)
        #expect(response.response?.value(forHTTPHeaderField: "X-A") == "1, 2")
    }
}
