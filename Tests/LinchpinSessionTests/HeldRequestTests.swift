import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// Requests that wait for something between two transfers.
@Suite struct HeldRequestTests {
    /// Keeps what it is asked, for the test to answer.
    private struct Thinking: RedirectHandler {
        let thoughts = Recorded<@Sendable (Bool) -> Void>()
        let asked = AsyncStream.makeStream(of: Void.self)
        func request(
            _ request: Request,
            willBeRedirectedTo next: URLRequest,
            for response: HTTPURLResponse,
            completion: @escaping @Sendable (URLRequest?) -> Void
        ) {
            thoughts.add { follows in completion(follows ? next : nil) }
            asked.continuation.yield()
        }
    }

    /// Answers as it is told.
    private struct Answering: RedirectHandler {
        let answer: @Sendable (URLRequest, @escaping @Sendable (URLRequest?) -> Void) -> Void
        func request(
            _ request: Request,
            willBeRedirectedTo next: URLRequest,
            for response: HTTPURLResponse,
            completion: @escaping @Sendable (URLRequest?) -> Void
        ) { answer(next, completion) }
    }

    private static func redirecting() throws -> LocalTLSServer {
        try .plain { request in
            guard request.path == "/a" else { return .text("there") }
            var redirect = LocalTLSServer.Response.redirect(to: "/b")
            redirect.body = Data(repeating: 65, count: 10_000)
            return redirect
        }
    }

    @Test func `a request that is suspended while a redirect is decided goes on when it is resumed`() async throws {
        let server = try Self.redirecting()
        let handler = Thinking()
        let session = Session()
        let request = session.request(server.url(host: "localhost", path: "/a")).redirect(using: handler)
        let task = request.serializingData()
        for await _ in handler.asked.stream { break }
        request.suspend()
        for thought in handler.thoughts.all { thought(true) }
        for _ in 0..<5 { #expect(await session.get(server.url(host: "127.0.0.1", path: "/c")).text == "there") }
        #expect(!server.log.requests.map(\.path).contains("/b"))
        request.resume()
        #expect(await task.response.text == "there")
        #expect(server.log.requests.map(\.path).filter { $0 == "/b" }.count == 1)
    }

    @Test func `a late answer about an earlier attempt's redirect decides nothing`() async throws {
        let server = try Self.redirecting()
        let first = Recorded<@Sendable (URLRequest?) -> Void>()
        let session = Session()
        let request = session.request(
            server.url(host: "localhost", path: "/a"),
            timeouts: Timeouts(request: 0.5),
            interceptor: .retrier { _, _, _, completion in completion(.retry) }
        ).redirect(
            using: Answering { next, completion in
                guard let late = first.all.first else { return first.add(completion) }
                late(nil)
                completion(next)
            }
        )
        let response = await request.serializingData().response
        #expect(response.text == "there")
        #expect(response.status == 200)
    }

    @Test(arguments: [(true, false), (false, false), (true, true), (false, true)])
    func `the body of a redirect that is the response obeys the limits`(_ isSmall: Bool, hasTarget: Bool) async throws {
        let server = try LocalTLSServer.plain { _ in
            var redirect =
                hasTarget
                ? LocalTLSServer.Response.redirect(to: "/b") : .init(status: 302, headers: [.init("Location", "")])
            redirect.body = Data(repeating: 65, count: 10_000)
            return redirect
        }
        let session = Session(
            configuration: .with { $0.responseLimits.bodyBytes = isSmall ? 9_999 : 10_000 },
            redirectHandler: .doNotFollow
        )
        let response = await session.get(server.url)
        if isSmall {
            #expect(response.error?.transportError?.code == .responseTooLarge, "\(response)")
            #expect(response.data == nil)
        } else {
            #expect(response.value?.count == 10_000, "\(response)")
        }
    }

    @Test func `an adapter that answers twice changes nothing of the request that goes out`() async throws {
        let server = try LocalTLSServer.plain { _ in .fault(.hold) }
        let twice = Adapter { request, _, completion in
            completion(.success(request))
            var other = request
            other.url = URL(string: "http://other.test/")
            completion(.success(other))
        }
        let session = Session(configuration: .with { $0.eventLoopCount = 8 }, interceptor: twice)
        let request = session.request(server.url)
        let task = request.serializingData()
        #expect(await server.waitUntil { $0.requestCount == 1 })
        #expect(request.request?.url == server.url)
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
    }
}
