import Foundation
import FoundationNetworking
import LinchpinSession
import LinchpinTesting
import Testing

@testable import LinchpinFoundation

@Suite struct CookieTests {
    private func server(_ world: World) throws -> LocalTLSServer {
        try world.server { request in
            switch request.path {
            case "/set":
                .text(
                    "set",
                    headers: [
                        .init("Set-Cookie", "a=1; Path=/; Expires=Wed, 21 Oct 2099 07:28:00 GMT"),
                        .init("Set-Cookie", "b=2; Path=/private"),
                    ]
                )
            case "/hop":
                .text("", status: 302, headers: [.init("Location", "/to"), .init("Set-Cookie", "hop=3; Path=/")])
            default: .text(request.headers("Cookie").joined(separator: "|"))
            }
        }
    }

    private func cookies(_ text: String) -> Set<String> { Set(text.components(separatedBy: "; ")) }

    @Test func `cookies of a response are kept and sent where they fit`() async throws {
        let world = try World()
        let server = try server(world)
        let client = try world.client()
        _ = try await client.data(from: server.url(host: "localhost", path: "/set"))
        #expect(client.configuration.httpCookieStorage?.cookies?.count == 2)
        #expect(try await client.text(server.url(host: "localhost", path: "/to")) == "a=1")
        let text = try await client.text(server.url(host: "localhost", path: "/private/x"))
        #expect(cookies(text) == ["a=1", "b=2"])
        #expect(try await client.text(server.url(host: "localhost", path: "/privateer")) == "a=1")
    }

    @Test func `cookies that a redirect sets go with the next request`() async throws {
        let world = try World()
        let server = try server(world)
        for recorder in [nil, Recorder()] {
            let client = try world.client(delegate: recorder)
            #expect(try await client.text(server.url(host: "localhost", path: "/hop")) == "hop=3")
        }
    }

    @Test func `cookies for one path do not follow a redirect to another`() async throws {
        let world = try World()
        let server = try world.server { request in
            switch request.path {
            case "/private/set": .text("", headers: [.init("Set-Cookie", "b=2; Path=/private")])
            case "/private/from": .redirect(to: "/to")
            default: .text(request.header("Cookie") ?? "none")
            }
        }
        let client = try world.client()
        _ = try await client.data(from: server.url(host: "localhost", path: "/private/set"))
        #expect(try await client.text(server.url(host: "localhost", path: "/private/from")) == "none")
        #expect(server.log.requests[1].header("Cookie") == "b=2")
    }

    @Test func `secure cookies stay off plain HTTP`() async throws {
        let server = try LocalTLSServer.plain { .text($0.header("Cookie") ?? "none") }
        let client = URLSession(carriedBy: .init())
        for (name, isSecure) in [("open", false), ("closed", true)] {
            var properties: [HTTPCookiePropertyKey: Any] = [.name: name, .value: "1", .domain: "localhost", .path: "/"]
            // Foundation takes any value for yes.
            if isSecure { properties[.secure] = "TRUE" }
            client.configuration.httpCookieStorage?.setCookie(try #require(HTTPCookie(properties: properties)))
        }
        #expect(client.configuration.httpCookieStorage?.cookies?.count == 2)
        #expect(try await client.text(server.url) == "open=1")
    }

    @Test func `a caller's own cookies are left alone`() async throws {
        let world = try World()
        let server = try server(world)
        let client = try world.client { $0.httpShouldSetCookies = false }
        _ = try await client.data(from: server.url(host: "localhost", path: "/set"))
        let url = server.url(host: "localhost", path: "/to")
        #expect(try await client.text(url) == "")
        let request = URLRequest(url) { $0.setValue("mine=4", forHTTPHeaderField: "Cookie") }
        #expect(String(decoding: try await client.data(for: request).0, as: UTF8.self) == "mine=4")
    }

    @Test func `no cookies are kept where none are accepted`() async throws {
        let world = try World()
        let server = try server(world)
        let client = try world.client { $0.httpCookieAcceptPolicy = .never }
        let url = server.url(host: "localhost", path: "/set")
        _ = try await client.data(from: url)
        let other = try world.client()
        _ = try await other.data(for: URLRequest(url) { $0.httpShouldHandleCookies = false })
        for client in [client, other] { #expect(client.configuration.httpCookieStorage?.cookies?.isEmpty == true) }
    }
}
