import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct ServerTests {
    @Test func `a server of plain HTTP answers and records`() throws {
        let server = try LocalTLSServer.plain { .text("you asked for \($0.target)") }
        let curl = try ClientTool.run("curl", ["-s", server.url(host: "127.0.0.1", path: "/a?b=c").absoluteString])
        #expect(curl.text == "you asked for /a?b=c")
        #expect(server.log.requests.map(\.path) == ["/a"])
        #expect(server.log.requests.first?.query == "b=c")
    }
}
