import Foundation
import FoundationNetworking
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// Promise 9: secrets do not reach logs.
@Suite struct SecrecyTests {
    @Test func `no description of a response shows a credential that was sent or received`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .text("hello", headers: [.init("Set-Cookie", "id=received-secret"), .init("X-Open", "shown")])
        }
        let headers: HTTPHeaders = ["Authorization": "Bearer sent-secret", "Cookie": "id=sent-secret"]
        let response = await Session().get(server.url, headers: headers)
        #expect(response.text == "hello")
        var dumped = ""
        dump(response, to: &dumped)
        dump(response.headers, to: &dumped)
        dump(headers, to: &dumped)
        let texts = ["\(response)", String(reflecting: response), "\(response.headers)", "\(headers)", dumped]
        for text in texts { #expect(!text.contains("-secret"), "\(text)") }
        #expect("\(response.headers)".contains("shown"))
    }

    @Test func `an error about a URL shows neither its user nor its query`() async throws {
        let response = await Session().request("ftp://user:secret@localhost/?token=secret").serializingData().response
        let error = try #require(response.error)
        #expect(!"\(error)".contains("secret"))
        #expect("\(error)".contains("localhost"))
    }
}
