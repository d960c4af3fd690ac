import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

/// What may not be on disk, or belongs to one session, stays so when it is validated.
@Suite struct CacheSecrecyTests {
    private let folder: TemporaryDirectory
    private let cache: ResponseCache

    init() throws {
        folder = try TemporaryDirectory()
        cache = ResponseCache(directory: URL(filePath: folder.path(of: "cache")))
    }

    private var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path(of: "cache"))) ?? []
    }

    private func session(_ change: (inout SessionConfiguration) -> Void = { _ in }) -> Session {
        Session(
            configuration: .with {
                $0.cache = cache
                change(&$0)
            }
        )
    }

    /// Answers with a body that has to be validated at once, and then with a 304 that has these fields.
    private static func server(_ fields: [(String, String)]) throws -> LocalTLSServer {
        try .plain { request in
            let tag = LocalTLSServer.Header("ETag", "\"v1\"")
            guard request.header("If-None-Match") == nil else {
                return .init(status: 304, headers: [tag] + fields.map { .init($0.0, $0.1) })
            }
            return .text("body", headers: [tag, .init("Cache-Control", "public, max-age=0")])
        }
    }

    @Test func `a response that a handler keeps in memory only does not go to the disk when it is validated`()
        async throws
    {
        let server = try Self.server([("Cache-Control", "public, max-age=60")])
        let inMemory = ResponseCacher.modify { _, response in
            CachedURLResponse(
                response: response.response,
                data: response.data,
                userInfo: nil,
                storagePolicy: .allowedInMemoryOnly
            )
        }
        let session = session()
        #expect(
            await session.request(server.url).cacheResponse(using: inMemory).serializingData().response.text == "body"
        )
        for _ in 0..<2 { #expect(await session.get(server.url).text == "body") }
        #expect(server.log.requests.map { $0.header("If-None-Match") } == [nil, "\"v1\""])
        #expect(files.isEmpty)
    }

    @Test(arguments: [
        ("Set-Cookie", "id=s3cret", 1), ("Cache-Control", "private, max-age=60", 1), ("Cache-Control", "no-store", 0),
        ("Vary", "*", 0), ("Vary", "Cookie", 0), ("X-Nothing", "new", 2),
    ])
    func `a validation can make a response somebody's, or take it out of the cache`(
        _ name: String,
        value: String,
        owners: Int
    ) async throws {
        let server = try Self.server(
            [(name, value), ("Cache-Control", "public, max-age=60")].filter {
                $0.0 == name ? $0.1 == value : name != "Cache-Control"
            }
        )
        let session = session()
        for _ in 0..<2 { #expect(await session.get(server.url).text == "body") }
        #expect(server.log.requests.count == 2)
        #expect(files.count == (owners == 2 ? 1 : 0))
        #expect(await session.get(server.url).text == "body")
        #expect((server.log.requests.count == 2) == (owners > 0))
    }

    @Test func `a response that a client's certificate got is no other session's`() async throws {
        let clients = try LocalCertificateAuthority(name: "Clients")
        let client = try clients.issue([], commonName: "app", profile: .client)
        let identity = try ClientIdentity(pem: client.chainPEM + client.privateKeyPEM)
        let identities = try ClientIdentities(["server.test": identity])
        let url = try #require(URL(string: "https://server.test/"))
        let (with, without) = (session { $0.clientIdentities = identities }, session())
        #expect(try #require(TrustState(of: url, with.core)).isOfOneSession)
        #expect(try #require(TrustState(of: url, without.core)).isOfOneSession == false)
        let other = try #require(URL(string: "https://other.test/"))
        #expect(try #require(TrustState(of: other, with.core)).isOfOneSession == false)
    }

    @Test func `what another way than the system's led to is no other session's`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .text("inside", headers: [.init("Cache-Control", "public, max-age=60")])
        }
        let url = server.url(host: "server.test")
        let inside = session {
            $0.resolution.overrides = [.init(host: "server.test", port: Int(server.port), addresses: ["127.0.0.1"])]
        }
        for _ in 0..<2 { #expect(await inside.get(url).text == "inside") }
        #expect(server.log.requests.count == 1)
        #expect(files.isEmpty)
        #expect(await session().get(url).error?.transportError?.code == .cannotFindHost)
    }
}
