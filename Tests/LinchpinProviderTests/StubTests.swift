import Dispatch
import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTesting
import Testing

@Suite struct StubTests {
    @Test func `an immediate stub without a queue completes before the request returns`() {
        let results = Recorder<String>()
        let provider = EndpointProvider<Call>(stubClosure: EndpointProvider.immediatelyStub)
        provider.request(Call("http://h")) { results.record($0.summary) }
        #expect(results.events == ["200 sample"])
        provider.request(Call("http://h") { $0.headers = ["X A": ""] }) { results.record($0.summary) }
        #expect(results.events.count == 2)
    }

    @Test(arguments: [
        StubBehavior.immediate, .delayed(seconds: 0), .delayed(seconds: 0.01), .delayed(seconds: -1),
        .delayed(seconds: .nan),
    ])
    func `a stub answers without any network`(_ behavior: StubBehavior) async throws {
        let server = try LocalTLSServer.plain { _ in .text("network") }
        let provider = EndpointProvider<Call>(stubClosure: { _ in behavior })
        #expect(await provider.outcome(of: Call(server.url)).summary == "200 sample")
        #expect(server.log.connections == 0)
        // The twin: the same without the stub.
        #expect(await EndpointProvider<Call>().outcome(of: Call(server.url)).summary == "200 network")
        #expect(server.log.connections == 1)
    }

    @Test func `a delayed stub waits`() async throws {
        let start = ContinuousClock.now
        let provider = EndpointProvider<Call>(stubClosure: EndpointProvider.delayedStub(0.2))
        _ = try await provider.request(Call("http://h"))
        #expect(ContinuousClock.now - start >= .seconds(0.2))
    }

    @Test func `a stub's response and request are handed on`() async throws {
        let url = try #require(URL(string: "http://h/p"))
        let sample = try #require(
            HTTPURLResponse(url: url, statusCode: 201, httpVersion: nil, headerFields: ["A": "b"])
        )
        let provider = EndpointProvider<Call>(
            endpointClosure: {
                Endpoint(
                    url: URL(target: $0).absoluteString,
                    sampleResponseClosure: { .response(sample, Data("x".utf8)) },
                    method: .put,
                    task: .requestPlain,
                    httpHeaderFields: nil
                )
            },
            stubClosure: EndpointProvider.immediatelyStub
        )
        let response = try await provider.request(Call(url))
        #expect(response.statusCode == 201)
        #expect(response.response === sample)
        #expect(response.request?.httpMethod == "PUT")
        #expect(response.request?.url == url)
    }

    @Test func `only the targets that are chosen are stubbed`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("network") }
        let provider = EndpointProvider<Call>(stubClosure: { $0.path == "stub" ? .immediate : .never })
        #expect(await provider.outcome(of: Call(server.url) { $0.path = "stub" }).summary == "200 sample")
        #expect(await provider.outcome(of: Call(server.url) { $0.path = "real" }).summary == "200 network")
        #expect(server.log.requests.map(\.path) == ["/real"])
    }
}
