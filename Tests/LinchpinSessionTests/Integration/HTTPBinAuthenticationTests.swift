import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Testing

@testable import LinchpinSession

extension HTTPBinTests {
    @Suite struct AuthenticatingTests {
        private let bin: HTTPBin

        init() throws { bin = try .shared() }

        struct Signed: Decodable {
            let authenticated: Bool
            var user: String?
            var token: String?
        }

        @Test(
            arguments: [
                "/basic-auth/ann/secret", "/digest-auth/auth/ann/secret", "/digest-auth/auth/ann/secret/MD5",
                "/digest-auth/auth/ann/secret/SHA-256", "/digest-auth/auth-int/ann/secret",
                "/digest-auth/none/ann/secret", "/digest-auth/auth/ann/secret/MD5/1",
            ],
            NginxServer.HTTPVersion.allCases
        )
        func `a challenge is answered, with the right password only`(
            _ target: String,
            version: NginxServer.HTTPVersion
        ) async throws {
            let session = try bin.session(version)
            let url = try bin.url(target)
            let request = session.request(url).authenticate(username: "ann", password: "secret")
            let response = await request.serializingDecodable(Signed.self).response
            #expect(response.value?.user == "ann", "\(response)")
            // Without cookies of the answers before.
            let wrong = try bin.session(version).request(url).authenticate(username: "ann", password: "guess")
            #expect(await wrong.serializingData().response.status == 401)
            #expect(try await bin.session(version).get(url).status == 401)
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `a digest in an algorithm that is not known is not answered`(
            _ version: NginxServer.HTTPVersion
        ) async throws {
            let request = try bin.session(version).request(bin.url("/digest-auth/auth/ann/secret/SHA-512"))
                .authenticate(username: "ann", password: "secret")
            let response = await request.serializingData().response
            #expect(response.status == 401, "\(response)")
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `a password in the URL is decoded, answers a challenge, and is shown nowhere`(
            _ version: NginxServer.HTTPVersion
        ) async throws {
            let url = try bin.url("/basic-auth/ann/s%40cret?v=\(version)", host: "ann:s%40cret@localhost")
            let response = await (try bin.session(version)).get(url)
            #expect(response.status == 200, "\(response)")
            #expect(!"\(response)".contains("cret@"))
            let log = try await bin.log("s%40cret?v=\(version)", atLeast: 1)
            #expect(log.allSatisfy { $0.host == "localhost:\(bin.server.port)" })
        }

        @Test func `a page that hides what it wants gets no credential unasked, but a field that the caller sets`()
            async throws
        {
            let session = try bin.session()
            let url = try bin.url("/hidden-basic-auth/ann/secret")
            let waiting = session.request(url).authenticate(username: "ann", password: "secret")
            #expect(await waiting.serializingData().response.status == 404)
            let field = HTTPHeader.authorization(username: "ann", password: "secret")
            #expect(await session.get(url, headers: [field]).status == 200)
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `a bearer token is shown by a field or an adapter`(_ version: NginxServer.HTTPVersion) async throws {
            let session = try bin.session(version)
            let url = try bin.url("/bearer")
            #expect(await session.get(url).status == 401)
            let byField = session.request(url, headers: [.authorization(bearerToken: "t0ken")])
            let byAdapter = session.request(url, interceptor: BearerTokenAdapter { "t0ken" })
            for request in [byField, byAdapter] {
                let response = await request.validate().serializingDecodable(Signed.self).response
                #expect(response.value?.token == "t0ken", "\(response)")
            }
        }

        @Test(arguments: ["/basic-auth/ann/secret", "/digest-auth/auth/ann/secret"])
        func `a challenge is answered on the way of a redirect within the origin`(_ target: String) async throws {
            let request = try bin.session().request(bin.url("/redirect-to"), parameters: ["url": target])
                .authenticate(username: "ann", password: "secret")
            #expect(await request.serializingData().response.status == 200)
        }

        @Test func `many requests with a digest at once are each answered`() async throws {
            let session = try bin.session()
            let url = try bin.url("/digest-auth/auth/ann/secret")
            await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        await session.request(url).authenticate(username: "ann", password: "secret")
                            .serializingData().response.status
                    }
                }
                for await status in group { #expect(status == 200) }
            }
        }
    }
}
