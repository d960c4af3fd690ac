import Foundation
import FoundationNetworking
import LinchpinTesting
import Testing

@testable import LinchpinSession

@Suite struct HeaderAdapterTests {
    struct Failed: Error {}

    @Test func `fields go into every request that has not got them`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let session = Session(interceptor: HeaderAdapter(["X-Client": "seven", "Accept": "text/plain"]))
        #expect(await session.get(server.url).text == "hello")
        #expect(await session.get(server.url, headers: ["accept": "image/png"]).text == "hello")
        #expect(server.log.requests.map { $0.headers("X-Client") } == [["seven"], ["seven"]])
        #expect(server.log.requests.map { $0.headers("Accept") } == [["text/plain"], ["image/png"]])
    }

    @Test func `a token is asked for each attempt`() async throws {
        let server = try LocalTLSServer.plain {
            .text("x", status: $0.header("Authorization") == "Bearer 2" ? 200 : 503)
        }
        let asked = Counter()
        let interceptor = Interceptor(
            adapters: [BearerTokenAdapter { "\(asked.add())" }],
            retriers: [RetryPolicy(exponentialBackoffScale: 0)]
        )
        let session = Session(interceptor: interceptor)
        #expect(await session.request(server.url).wantingSuccess().serializingData().response.status == 200)
        #expect(server.log.requests.map { $0.headers("Authorization") } == [["Bearer 1"], ["Bearer 2"]])
    }

    @Test func `a request that says who sends it, or a missing token, changes nothing`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let own = Session(interceptor: BearerTokenAdapter { "secret" })
        #expect(await own.get(server.url, headers: ["Authorization": "Bearer own"]).text == "hello")
        #expect(await Session(interceptor: BearerTokenAdapter { nil }).get(server.url).text == "hello")
        #expect(server.log.requests.map { $0.headers("Authorization") } == [["Bearer own"], []])
    }

    @Test func `tokens and fields do not go along to another origin`() async throws {
        let other = try LocalTLSServer.plain { _ in .text("there") }
        let server = try LocalTLSServer.plain { _ in .redirect(to: other.url.absoluteString) }
        let interceptor = Interceptor(
            interceptors: [BearerTokenAdapter { "secret" }, HeaderAdapter(["X-Signature": "secret"])]
        )
        #expect(await Session(interceptor: interceptor).get(server.url).text == "there")
        #expect(server.log.requests.first?.headers.filter { $0.value.contains("secret") }.count == 2)
        #expect(other.log.requests.first?.headers.contains { $0.value.contains("secret") } == false)
    }

    @Test(arguments: ["a\r\nEvil: 1", "a\0", "a\nb"])
    func `a request does not go out without a token that cannot be sent`(_ token: String) async throws {
        let server = try LocalTLSServer.plain()
        for interceptor in [BearerTokenAdapter { token }, HeaderAdapter(["X-Token": token])] as [any RequestInterceptor]
        {
            guard
                case .urlRequestValidationFailed(.invalidHeader) =
                    await Session(interceptor: interceptor).get(server.url).error
            else {
                Issue.record("it was sent")
                continue
            }
        }
        #expect(server.log.connections == 0)
    }

    @Test func `a token that cannot be had ends the request`() async throws {
        let session = Session(interceptor: BearerTokenAdapter { throw Failed() })
        guard
            case .requestAdaptationFailed(let error) = await session.request("http://127.0.0.1:1/").serializingData()
                .response.error
        else {
            Issue.record("it was sent")
            return
        }
        #expect(error is Failed)
    }

    @Test func `no description shows a token`() {
        let secret = "s3cret"
        for value in [BearerTokenAdapter { secret }, HeaderAdapter(["X-Token": secret])] as [any Sendable] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] { #expect(!text.contains(secret)) }
        }
    }
}
