import Foundation
import FoundationNetworking
import LinchpinTesting
import Testing

@testable import LinchpinSession

/// Promise 9: secrets do not reach logs.
@Suite struct SecretTests {
    /// Every way in which a value gets into a log without being asked what it holds.
    private func renderings(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }

    private static let query = "?token=s3cret&page=2"

    @Test func `a response shows what is no secret, and nothing else`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .text("s3cret", headers: [.init("Set-Cookie", "id=s3cret"), .init("X-Time", "7")])
        }
        let url = try #require(URL(string: "http://me:s3cret@localhost:\(server.port)/path\(Self.query)"))
        let response = await Session().get(url, headers: ["Authorization": "Bearer s3cret"])
        #expect(response.text == "s3cret")
        for text in renderings(response) {
            #expect(!text.contains("s3cret"))
            #expect(text.contains("GET http://localhost:\(server.port)/path?token=<redacted>"))
            #expect(text.contains("status 200"))
            #expect(text.contains("X-Time: 7"))
        }
    }

    @Test func `requests of every kind, and what waits for them, show no secret`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .text("s3cret", headers: [.init("Location", "/next\(Self.query)"), .init("Set-Cookie", "id=s3cret")])
        }
        let session = Session(configuration: .with { $0.headers = ["Authorization": "Bearer s3cret"] })
        let url = try #require(URL(string: "http://me:s3cret@localhost:\(server.port)/path\(Self.query)"))
        let headers: HTTPHeaders = ["X-Api-Key": "s3cret", "Cookie": "id=s3cret", "Referer": url.absoluteString]
        let data = session.request(url, method: .post, parameters: ["password": "s3cret"], headers: headers)
            .authenticate(username: "me", password: "s3cret")
        let upload = session.upload(Data("s3cret".utf8), to: url, headers: headers)
        let form = session.upload(
            multipartFormData: { $0.append(Data("s3cret".utf8), withName: "s3cret") },
            to: url,
            headers: headers
        )
        let download = session.download(url, headers: headers)
        let stream = session.streamRequest(url, headers: headers)
        let before: [Any] = [data, upload, form, download, stream, stream.streamTask()]
        for text in before.flatMap(renderings) { #expect(!text.contains("s3cret"), "\(text)") }
        let answers: [Any] = [
            await data.serializingString().response, await upload.serializingData().response,
            await form.serializingData().response, await download.serializingDownloadedFileURL().response,
        ]
        if let file = download.fileURL { try FileManager.default.removeItem(at: file) }
        let after: [Any] = answers + [data, upload, form, download, stream, data.serializingString(), session]
        for text in after.flatMap(renderings) { #expect(!text.contains("s3cret"), "\(text)") }
        for request in [data, upload, form, download, stream] {
            #expect(!request.cURLDescription().contains("s3cret"), "\(request.cURLDescription())")
        }
        #expect(renderings(data).allSatisfy { $0.contains("POST http://localhost:\(server.port)/path") })
    }

    @Test func `fields show their names, and values that are no secret`() {
        let headers: HTTPHeaders = ["Authorization": "Bearer s3cret", "Accept": "text/plain"]
        for text in renderings(headers) + headers.flatMap(renderings) { #expect(!text.contains("s3cret")) }
        for text in renderings(headers) {
            #expect(text.contains("Authorization"))
            #expect(text.contains("text/plain"))
        }
    }

    @Test(arguments: [
        "http://me:s3cret@two words/path\(query)", "ftp://me:s3cret@example.test/path\(query)",
        "http://me:s3cret@127.0.0.1:1/path\(query)", "http:///s3cret\(query)",
    ])
    func `an error shows no secret of the URL that it is about`(_ url: String) async throws {
        let response = await Session().request(url).serializingData().response
        let error = try #require(response.error)
        for text in renderings(error) { #expect(!text.contains("token=s3cret") && !text.contains("me:s3cret")) }
    }

    @Test func `an error shows no body that was not sent`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        var request = try URLRequest(url: url, method: .get)
        request.httpBody = Data("s3cret".utf8)
        let error = try #require(await Session().request(request).serializingData().response.error)
        for text in renderings(error) {
            #expect(!text.contains("s3cret"))
            #expect(text.contains("body"))
        }
    }
}
