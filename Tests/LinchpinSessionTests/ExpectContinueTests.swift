import Foundation
import FoundationNetworking
import LinchpinTesting
import Testing

@testable import LinchpinSession

@Suite struct ExpectContinueTests {
    private static let body = Data(repeating: 65, count: 2 << 20)

    private func post(
        _ server: LocalTLSServer,
        from least: Int?,
        body: Data = ExpectContinueTests.body,
        headers: HTTPHeaders = []
    ) async -> (DataResponse<Data, SessionError>, seconds: Double) {
        let session = Session(configuration: .with { $0.expectsContinueFrom = least })
        let start = ContinuousClock.now
        let response = await session.upload(body, to: server.url, headers: headers).serializingData().response
        return (response, (ContinuousClock.now - start) / .seconds(1))
    }

    @Test func `no body waits unless that is wanted`() async throws {
        let server = try LocalTLSServer.plain(configuration: .init(expectation: .ignore)) { .text("\($0.body.count)") }
        let (response, _) = await post(server, from: nil)
        #expect(response.text == "\(Self.body.count)")
        #expect(server.log.requests.first?.header("Expect") == nil)
    }

    @Test(arguments: [(2 << 20, true), ((2 << 20) + 1, false)])
    func `a body waits from the wanted size on`(_ least: Int, isExpected: Bool) async throws {
        let server = try LocalTLSServer.plain { .text("\($0.body.count)") }
        let (response, _) = await post(server, from: least)
        #expect(response.text == "\(Self.body.count)")
        #expect(response.status == 200)
        #expect(server.log.requests.first?.header("Expect") == (isExpected ? "100-continue" : nil))
    }

    @Test func `an empty body does not wait`() async throws {
        let server = try LocalTLSServer.plain { .text("\($0.body.count)") }
        #expect(await post(server, from: 0, body: Data()).0.text == "0")
        #expect(server.log.requests.first?.header("Expect") == nil)
    }

    @Test func `a server that says nothing gets the body all the same`() async throws {
        let server = try LocalTLSServer.plain(configuration: .init(expectation: .ignore)) { .text("\($0.body.count)") }
        let (response, seconds) = await post(server, from: 1)
        #expect(response.text == "\(Self.body.count)")
        #expect(seconds > 0.8)
    }

    @Test func `an answer in place of 100 saves the body`() async throws {
        let server = try LocalTLSServer.plain(configuration: .init(expectation: .handle)) { _ in
            .text("no", status: 403)
        }
        let (response, _) = await post(server, from: 1)
        #expect(response.status == 403)
        #expect(response.text == "no")
        #expect(server.log.bytesReceived < 100_000)
    }

    /// libcurl does not ask again where the answer says that the connection closes.
    @Test(arguments: [1, nil], [false, true])
    func `a server that cannot wait is asked once more without it`(_ least: Int?, alwaysRefuses: Bool) async throws {
        let refusal = Data("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n".utf8)
        let server = try LocalTLSServer.plain(configuration: .init(expectation: .handle)) { request in
            request.header("Expect") == nil && !alwaysRefuses
                ? .text("\(request.body.count)") : .fault(.raw(refusal))
        }
        let (response, _) = await post(server, from: least, headers: least == nil ? ["Expect": "100-continue"] : [])
        #expect(response.status == (alwaysRefuses ? 417 : 200), "\(String(describing: response))")
        if !alwaysRefuses { #expect(response.text == "\(Self.body.count)") }
        #expect(server.log.requests.map { $0.header("Expect") } == ["100-continue", nil])
    }
}
