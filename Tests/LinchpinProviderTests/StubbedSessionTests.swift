import Dispatch
import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import Testing

@Suite struct StubbedSessionTests {
    private struct Refusal: Error {}

    @Test func `a source answers and sees what plugins made of the request`() async throws {
        let stubs = StubbedSession { request in
            guard request.url?.path == "/a" else { throw Refusal() }
            return .networkResponse(201, request.httpBody ?? Data())
        }
        let trace = Recorder<String>()
        let provider = EndpointProvider<Call>(
            answeredBy: stubs,
            plugins: [TraceablePlugin(name: "1", trace: trace), AccessTokenPlugin { _ in "t0ken" }]
        )
        let call = Call("http://h") {
            $0.path = "a"
            $0.method = .post
            $0.task = .requestData(Data("x".utf8))
            $0.authorizationType = .bearer
        }
        #expect(try await provider.request(call).mapString() == "x1")
        #expect(stubs.requests.count == 1)
        #expect(stubs.requests.first?.value(forHTTPHeaderField: "Authorization") == "Bearer t0ken")
        #expect(stubs.requests.first?.value(forHTTPHeaderField: "X-Trail") == "1")
        #expect(trace.events == ["prepare 1", "willSend 1 1", "didReceive 1 201 x", "process 1 201 x"])
        let error = await #expect(throws: ProviderError.self) { try await provider.request(Call("http://h")) }
        #expect(error?.underlyingError is Refusal)
    }

    @Test func `errors and validation are those of the network`() async {
        let stubs = StubbedSession { request in
            request.url?.path == "/e" ? .networkError(URLError(.timedOut) as NSError) : .networkResponse(500, Data())
        }
        let provider = EndpointProvider<Call>(answeredBy: stubs)
        let strict = Call("http://h") { $0.validationType = .successCodes }
        #expect(await provider.outcome(of: strict).summary == "refused 500 500")
        #expect(await provider.outcome(of: Call("http://h")).summary == "500 ")
        #expect(await provider.outcome(of: Call("http://h") { $0.path = "e" }).summary == "failed")
    }
}
