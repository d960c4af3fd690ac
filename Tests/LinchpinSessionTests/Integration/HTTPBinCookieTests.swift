import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

extension HTTPBinTests {
    @Suite struct CookieTests {
        private let bin: HTTPBin

        init() throws { bin = try .shared() }

        struct Sent: Decodable { let cookies: [String: String] }

        private func cookies(_ session: Session, _ target: String) async throws -> [String: String]? {
            try await session.request(bin.url(target)).serializingDecodable(Sent.self).response.value?.cookies
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `cookies are set on a redirect, sent, replaced and deleted`(
            _ version: NginxServer.HTTPVersion
        ) async throws {
            let session = try bin.session(version)
            #expect(try await cookies(session, "/cookies") == [:])
            #expect(try await cookies(session, "/cookies/set/a/1") == ["a": "1"])
            #expect(try await cookies(session, "/cookies/set?b=2&c=3") == ["a": "1", "b": "2", "c": "3"])
            #expect(try await cookies(session, "/cookies/set/a/4") == ["a": "4", "b": "2", "c": "3"])
            #expect(try await cookies(session, "/cookies/delete?a&c") == ["b": "2"])
            #expect(try await cookies(session, "/cookies") == ["b": "2"])
            #expect(try await cookies(bin.session(version), "/cookies") == [:])
        }

        @Test func `a session that keeps no cookies sends none on`() async throws {
            let session = try bin.session { $0.cookies = .none }
            #expect(try await cookies(session, "/cookies/set/a/1") == [:])
        }

        @Test func `a jar in a file is there for the next session`() async throws {
            let directory = try TemporaryDirectory()
            let file = URL(filePath: directory.path(of: "jar"))
            let expiring = "/response-headers?Set-Cookie=a%3D1%3B%20Max-Age%3D600%3B%20Path%3D/%3B%20Secure"
            do {
                let jar = try CookieJar(file: file)
                let session = try bin.session { $0.cookies = .jar(jar) }
                #expect(try await session.get(bin.url(expiring)).status == 200)
                try jar.save()
            }
            let next = try CookieJar(file: file)
            let session = try bin.session { $0.cookies = .jar(next) }
            #expect(try await cookies(session, "/cookies") == ["a": "1"])
        }

        @Test func `cookies of one host do not go to another`() async throws {
            let manager = try ServerTrustManager(
                evaluators: ["localhost": bin.world.pinned(), "127.0.0.1": bin.world.pinned()]
            )
            let session = Session(serverTrustManager: manager)
            #expect(try await cookies(session, "/cookies/set/a/1") == ["a": "1"])
            let elsewhere = try bin.url("/cookies", host: "127.0.0.1")
            let request = session.request(try bin.url("/redirect-to"), parameters: ["url": elsewhere.absoluteString])
            #expect(try await request.serializingDecodable(Sent.self).value.cookies == [:])
        }
    }
}
