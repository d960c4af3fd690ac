import Foundation
import FoundationNetworking
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

@Suite struct RedirectHandlerTests {
    private static let credentials: HTTPHeaders = [
        "Authorization": "Bearer secret", "X-Api-Key": "secret", "Accept": "text/plain",
    ]

    /// Redirects from `/a` to `/b`, and says which path it was asked for.
    private func server(_ status: Int = 302) throws -> LocalTLSServer {
        try LocalTLSServer.plain { request in
            guard request.path == "/a" else { return .text(request.path) }
            var redirect = LocalTLSServer.Response.redirect(to: "/b", status: status)
            redirect.body = Data("see /b".utf8)
            return redirect
        }
    }

    private func start(_ server: LocalTLSServer) -> URL { server.url(host: "localhost", path: "/a") }

    @Test(arguments: [(Redirector.follow, 200, "/b"), (.doNotFollow, 302, "see /b")])
    func `a redirector follows or does not`(_ redirector: Redirector, status: Int, text: String) async throws {
        let server = try server()
        let session = Session(redirectHandler: redirector)
        let response = await session.get(start(server))
        #expect(response.status == status)
        #expect(response.text == text)
        #expect(server.log.requests.count == (status == 200 ? 2 : 1))
        #expect(response.response?.url?.path == (status == 200 ? "/b" : "/a"))
    }

    @Test func `a request's own handler is asked and not the session's`() async throws {
        let server = try server()
        let session = Session(redirectHandler: Redirector.doNotFollow)
        let followed = await session.request(start(server)).redirect(using: .follow).serializingData().response
        #expect(followed.text == "/b")
        #expect(await session.get(start(server)).status == 302)
    }

    @Test func `a handler sees the redirect and what would be sent, and changes it`() async throws {
        let server = try server()
        let seen = Recorded<(Int, String?, String?)>()
        let modify = Redirector(
            behavior: .modify { request, next, response in
                seen.add((response.statusCode, next.url?.path, request.request?.url?.path))
                var changed = next
                changed.url = next.url?.deletingLastPathComponent().appending(path: "c")
                changed.setValue("1", forHTTPHeaderField: "X-Changed")
                return changed
            }
        )
        let response = await Session(redirectHandler: modify).get(start(server), headers: Self.credentials)
        #expect(response.text == "/c")
        #expect(seen.all.map(\.0) == [302])
        #expect(seen.all.map(\.1) == ["/b"])
        #expect(seen.all.map(\.2) == ["/a"])
        let last = try #require(server.log.requests.last)
        #expect(last.header("X-Changed") == "1")
        for header in Self.credentials { #expect(last.header(header.name) == header.value) }
    }

    @Test func `a handler that makes nothing of a redirect gets it as the response`() async throws {
        let server = try server()
        let session = Session(redirectHandler: .modify { _, _, _ in nil })
        let response = await session.request(start(server)).wantingSuccess().serializingData().response
        #expect(response.status == 302)
        #expect(response.error?.underlyingError is UnwantedStatus)
    }

    @Test func `credentials do not go to another origin that a handler names, but what it sets does`() async throws {
        let other = try LocalTLSServer.plain { _ in .text("there") }
        let server = try server()
        let target = other.url
        let handler = Redirector(
            behavior: .modify { _, next, _ in
                var next = next
                next.url = target
                next.setValue("mine", forHTTPHeaderField: "X-Api-Key")
                next.setValue("new", forHTTPHeaderField: "X-New")
                return next
            }
        )
        let response = await Session(redirectHandler: handler).get(start(server), headers: Self.credentials)
        #expect(response.text == "there")
        let received = try #require(other.log.requests.first)
        #expect(!received.headers.contains { $0.value.contains("secret") })
        #expect(received.header("Accept") == "text/plain")
        #expect(received.header("X-Api-Key") == "mine")
        #expect(received.header("X-New") == "new")
    }

    @Test func `credentials that were taken off are not put back`() async throws {
        let other = try LocalTLSServer.plain { _ in .text("there") }
        let server = try LocalTLSServer.plain { _ in .redirect(to: other.url.absoluteString) }
        let handler = Redirector(behavior: .modify { _, next, _ in next })
        let interceptor = HeaderAdapter(Self.credentials)
        let session = Session(interceptor: interceptor, redirectHandler: handler)
        #expect(await session.get(server.url).text == "there")
        #expect(server.log.requests.first?.header("Authorization") == "Bearer secret")
        #expect(other.log.requests.first?.headers.contains { $0.value.contains("secret") } == false)
    }

    @Test func `a handler leads from https to plain http only where the configuration allows it`() async throws {
        let world = try World()
        let plain = try LocalTLSServer.plain { _ in .text("plain") }
        let server = try LocalTLSServer(identity: world.identity) { _ in .redirect(to: "/b") }
        let manager = try ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: ["localhost": world.pinned()])
        let target = plain.url(host: "127.0.0.1")
        let handler = Redirector(
            behavior: .modify { _, next, _ in
                var next = next
                next.url = target
                return next
            }
        )
        for allows in [false, true] {
            let session = Session(
                configuration: .with { $0.allowsRedirectsToPlainHTTP = allows },
                serverTrustManager: manager,
                redirectHandler: handler
            )
            let response = await session.get(server.url)
            #expect(response.text == (allows ? "plain" : nil))
            #expect((response.error?.transportError?.code == .redirectRefused) == !allows)
            #expect(plain.log.connections == (allows ? 1 : 0))
        }
    }

    @Test func `a host that a handler names is judged as its own`() async throws {
        let world = try World()
        let other = try LocalTLSServer(identity: world.identity)
        let server = try LocalTLSServer(identity: world.identity) { _ in .redirect(to: "/b") }
        let target = other.url(host: "127.0.0.1")
        let handler = Redirector(
            behavior: .modify { _, next, _ in
                var next = next
                next.url = target
                return next
            }
        )
        let session = Session(serverTrustManager: try world.manager(), redirectHandler: handler)
        #expect(await session.get(server.url).refusal == .noRequiredEvaluator)
        #expect(other.log.connections == 0)
    }

    @Test func `a handler cannot follow more redirects than the session does`() async throws {
        let server = try LocalTLSServer.plain { _ in .redirect(to: "/again") }
        let session = Session(configuration: .with { $0.maximumRedirects = 3 }, redirectHandler: Redirector.follow)
        #expect(await session.get(server.url).error?.transportError?.code == .tooManyRedirects)
        #expect(server.log.requests.count == 4)
    }

    @Test func `a request that is cancelled while its handler thinks ends at once`() async throws {
        let server = try server()
        let thoughts = Recorded<@Sendable (URLRequest?) -> Void>()
        struct Thinking: RedirectHandler {
            let thoughts: Recorded<@Sendable (URLRequest?) -> Void>
            func request(
                _ request: Request,
                willBeRedirectedTo next: URLRequest,
                for response: HTTPURLResponse,
                completion: @escaping @Sendable (URLRequest?) -> Void
            ) {
                thoughts.add { completion($0 ?? next) }
                request.cancel()
            }
        }
        let session = Session()
        let request = session.request(start(server)).redirect(using: Thinking(thoughts: thoughts))
        #expect(await request.serializingData().response.error?.isExplicitlyCancelledError == true)
        for complete in thoughts.all { complete(nil) }
        await session.invalidate()
        #expect(server.log.requests.count == 1)
    }

    @Test(arguments: [("keep", "POST", "body"), ("replace", "POST", "other"), ("get", "GET", "")])
    func `the body goes along with a 307, as the handler has it`(
        _ what: String,
        method: String,
        body: String
    ) async throws {
        let server = try server(307)
        let handler = Redirector(
            behavior: .modify { _, next, _ in
                var next = next
                if what == "replace" { next.httpBody = Data("other".utf8) }
                if what == "get" { (next.httpMethod, next.httpBody) = ("GET", nil) }
                return next
            }
        )
        var request = URLRequest(url: start(server))
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        let session = Session(redirectHandler: handler)
        #expect(await session.request(request).serializingData().response.text == "/b")
        #expect(server.log.requests.last?.method == method)
        #expect(server.log.requests.last?.body == Data(body.utf8))
    }
}
