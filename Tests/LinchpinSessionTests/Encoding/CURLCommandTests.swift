import Foundation
import FoundationNetworking
import LinchpinTestSupport
import Testing

@testable import LinchpinSession

@Suite struct CURLCommandTests {
    private func request(
        _ url: String = "http://h/p",
        _ method: HTTPMethod = .post,
        _ headers: HTTPHeaders = [:],
        body: Data? = nil
    ) throws -> URLRequest {
        var request = try URLRequest(url: url, method: method, headers: headers)
        request.httpBody = body
        return request
    }

    @Test func `a request is a command`() throws {
        let request = try request("http://h/p?q", .get, ["A": "b"])
        let text = CURLCommand.text(of: request, headers: ["User-Agent": "u", "a": "old"], secrets: .shown)
        #expect(text == "$ curl -v \\\n\t-X 'GET' \\\n\t-H 'User-Agent: u' \\\n\t-H 'A: b' \\\n\t'http://h/p?q'")
        #expect(CURLCommand.text(of: try self.request("http://h", .head)).contains("--head"))
    }

    @Test func `no secret is shown unasked`() throws {
        let headers: HTTPHeaders = [
            "Authorization": "Bearer s3cret", "Cookie": "s=s3cret", "Proxy-Authorization": "s3cret",
            "X-Api-Key": "s3cret",
            "Content-Type": "application/x-www-form-urlencoded; charset=utf-8",
        ]
        let url = "http://me:s3cret@h/p?token=s3cret&s3cret#s3cret"
        let form = try request(url, .post, headers, body: Data("user=s3cret&password=s3cret".utf8))
        let json = try request(url, .post, ["Content-Type": "application/json"], body: Data("{\"p\":\"s3cret\"}".utf8))
        for text in [CURLCommand.text(of: form, headers: headers), CURLCommand.text(of: json, headers: headers)] {
            #expect(!text.contains("s3cret") && !text.contains("me:"))
            for name in headers.map(\.name).dropLast() { #expect(text.contains("'\(name): <redacted>'")) }
            #expect(text.contains("'http://h/p?token=<redacted>&<redacted>'"))
        }
        #expect(CURLCommand.text(of: form).contains("--data-raw 'user=<redacted>&password=<redacted>'"))
        #expect(CURLCommand.text(of: json).contains("--data-raw '<redacted: 14 bytes>'"))
        #expect(CURLCommand.text(of: form, secrets: .shown).components(separatedBy: "s3cret").count == 11)
    }

    @Test(arguments: [
        "plain", "it's 'quoted'", "two\nlines\ttab", "$HOME `id` \\ \" ! # * ?", "@/etc/passwd", "-x", "", "é😀",
        "\u{1B}[31m\r\0%s\\n'-",
    ])
    func `a shell gives curl exactly the request's own words and body`(_ text: String) async throws {
        let isField = text.utf8.allSatisfy { ![0, 10, 13].contains($0) }
        let headers: HTTPHeaders = isField ? ["X": text] : [:]
        try await check(request("http://[::1]/a?q='", .post, headers, body: Data(text.utf8)), headers: headers)
    }

    @Test func `a shell gives curl exactly the bytes of a body that is no text`() async throws {
        let headers: HTTPHeaders = ["Content-Type": "a/b"]
        try await check(
            request("http://h/", .put, headers, body: Data((0...255) + (0...255).reversed())),
            headers: headers
        )
    }

    /// Runs the command with a function in curl's place, which prints its words and its input in hexadecimal.
    private func check(_ request: URLRequest, headers: HTTPHeaders) async throws {
        let command = CURLCommand.text(of: request, secrets: .shown).dropFirst(2)
        let directory = try TemporaryDirectory()
        let printing =
            "curl() { for word; do printf '%s' \"$word\" | od -An -v -tx1 | tr -d ' \\n'; echo; done; "
            + "case $* in *--data-binary*) od -An -v -tx1 | tr -d ' \\n';; esac; }\n"
        let script = try directory.write(printing + command + "\n", to: "script")
        let output = try await ChildProcess.run("/bin/sh", [script])
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map { Data(hex: String($0)) }
        let words = lines.map { String(decoding: $0, as: UTF8.self) }
        let body = try #require(request.httpBody)
        if let place = words.firstIndex(of: "--data-raw") {
            #expect(lines[place + 1] == body)
        } else {
            #expect(words.contains("--data-binary"))
            #expect(lines.last == body)
        }
        #expect(words.contains(try #require(request.url?.absoluteString)))
        #expect(words.contains("--globoff") == (request.url?.absoluteString.contains("[") == true))
        for header in headers {
            #expect(words.contains(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"))
        }
        #expect(words.contains("Content-Type:") == (headers["Content-Type"] == nil))
    }
}
