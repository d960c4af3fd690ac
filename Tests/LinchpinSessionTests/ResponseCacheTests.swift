import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

@Suite struct ResponseCacheTests {
    /// A clock that the test sets.
    final class Clock: Sendable {
        private let time = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
        var now: Date { time.withLock { $0 } }
        func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
    }

    private let clock = Clock()

    private func session(_ cache: ResponseCache = ResponseCache(), _ manager: ServerTrustManager? = nil) -> Session {
        let clock = clock
        let configuration = SessionConfiguration.with {
            $0.cache = cache
            $0.now = { clock.now }
        }
        return Session(configuration: configuration, serverTrustManager: manager)
    }

    /// Answers with the number of the request and these fields.
    private func server(_ headers: [(String, String)], status: Int = 200) throws -> LocalTLSServer {
        let count = Counter()
        return try LocalTLSServer.plain { _ in
            .text("\(count.add())", status: status, headers: headers.map { .init($0.0, $0.1) })
        }
    }

    private func date(_ offset: TimeInterval) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.string(from: clock.now + offset)
    }

    // MARK: - Freshness

    struct Row: Sendable {
        let fields: @Sendable (ResponseCacheTests) -> [(String, String)]
        /// For how many seconds it is fresh.
        let seconds: TimeInterval
    }

    @Test func `a response is used as long as it is fresh`() async throws {
        let rows = [
            Row(fields: { _ in [("Cache-Control", "max-age=60")] }, seconds: 60),
            Row(fields: { _ in [("Cache-Control", "private, Max-Age=\"60\"")] }, seconds: 60),
            Row(fields: { _ in [("Cache-Control", "max-age=60"), ("Age", "20")] }, seconds: 40),
            Row(fields: { [("Cache-Control", "max-age=60"), ("Date", $0.date(-30))] }, seconds: 30),
            Row(fields: { [("Expires", $0.date(60)), ("Date", $0.date(0))] }, seconds: 60),
            Row(fields: { [("Expires", $0.date(1_000)), ("Cache-Control", "max-age=60")] }, seconds: 60),
            Row(fields: { [("Last-Modified", $0.date(-600)), ("Date", $0.date(0))] }, seconds: 60),
            Row(fields: { [("Last-Modified", $0.date(-99_999_999)), ("Date", $0.date(0))] }, seconds: 86_400),
        ]
        for row in rows {
            let server = try server(row.fields(self))
            let session = session()
            #expect(await session.get(server.url).text == "1")
            clock.advance(row.seconds - 1)
            #expect(await session.get(server.url).text == "1", "\(row.fields(self))")
            clock.advance(2)
            #expect(await session.get(server.url).text == "2", "\(row.fields(self))")
        }
    }

    @Test func `a response that may not be kept is not`() async throws {
        let rows: [([(String, String)], Int)] = [
            ([("Cache-Control", "no-store, max-age=60")], 200), ([("Cache-Control", "max-age=0")], 200),
            ([("Cache-Control", "no-cache, max-age=60")], 200), ([("Cache-Control", "max-age=x")], 200),
            ([("Cache-Control", "max-age=60, max-age=70")], 200), ([("Expires", "0")], 200), ([], 200),
            ([("Cache-Control", "max-age=60"), ("Vary", "*")], 200),
            ([("Cache-Control", "max-age=60"), ("Vary", "Accept, Cookie")], 200),
            ([("Cache-Control", "max-age=60")], 500), ([("Cache-Control", "max-age=60")], 401),
            ([("Pragma", "no-cache"), ("Last-Modified", date(-99_999))], 200),
        ]
        for (fields, status) in rows {
            let server = try server(fields, status: status)
            let session = session()
            #expect(await session.get(server.url).text == "1")
            #expect(await session.get(server.url).text == "2", "\(fields) \(status)")
        }
        let kept = try server([("Cache-Control", "max-age=60")], status: 404)
        let session = session()
        #expect(await session.get(kept.url).text == "1")
        let again = await session.get(kept.url)
        #expect(again.text == "1")
        #expect(again.status == 404)
        #expect(again.headers["cache-control"] == "max-age=60")
    }

    @Test func `without a cache nothing is kept`() async throws {
        let server = try server([("Cache-Control", "max-age=60")])
        let session = Session()
        #expect(await session.get(server.url).text == "1")
        #expect(await session.get(server.url).text == "2")
    }

    // MARK: - Validation

    @Test(arguments: [[("ETag", "\"v1\"")], [("Last-Modified", "Tue, 14 Nov 2023 00:00:00 GMT")]])
    func `a response that is not fresh is validated, and a 304 makes it so again`(
        _ validator: [(String, String)]
    ) async throws {
        let server = try LocalTLSServer.plain { request in
            let fields = validator.map { LocalTLSServer.Header($0.0, $0.1) } + [.init("Cache-Control", "max-age=60")]
            let isKnown =
                request.header("If-None-Match") == "\"v1\"" || request.header("If-Modified-Since") == validator[0].1
            guard isKnown else { return .text("body", headers: fields + [.init("X-Time", "1")]) }
            return .init(status: 304, headers: fields + [.init("X-Time", "2")])
        }
        let heads = Recorded<Int>()
        let session = session()
        #expect(await session.get(server.url).text == "body")
        clock.advance(61)
        let request = session.request(server.url).onHTTPResponse { heads.add($0.statusCode) }
        let validated = await request.serializingData().response
        #expect(validated.status == 200)
        #expect(validated.text == "body")
        #expect(validated.headers["X-Time"] == "2")
        #expect(validated.headers["Content-Type"] == "text/plain; charset=utf-8")
        clock.advance(30)
        #expect(await session.get(server.url).text == "body")
        #expect(server.log.requests.count == 2)
        #expect(!heads.all.contains(304))
    }

    @Test func `a changed response replaces the old one`() async throws {
        let server = try server([("ETag", "\"v\""), ("Cache-Control", "max-age=60")])
        let session = session()
        #expect(await session.get(server.url).text == "1")
        clock.advance(61)
        #expect(await session.get(server.url).text == "2")
        #expect(await session.get(server.url).text == "2")
    }

    @Test func `a caller that asks conditionally gets the 304 itself`() async throws {
        let server = try LocalTLSServer.plain { request in
            request.header("If-None-Match") == nil
                ? .text("body", headers: [.init("ETag", "\"v\""), .init("Cache-Control", "max-age=60")])
                : .init(status: 304)
        }
        let session = session()
        #expect(await session.get(server.url).text == "body")
        #expect(await session.get(server.url, headers: ["If-None-Match": "\"v\""]).status == 304)
    }

    // MARK: - Which request

    @Test func `a response that varies answers requests that say the same`() async throws {
        let server = try server([("Cache-Control", "max-age=60"), ("Vary", "accept-language")])
        let session = session()
        #expect(await session.get(server.url, headers: ["Accept-Language": "de"]).text == "1")
        #expect(await session.get(server.url, headers: ["Accept-Language": "de"]).text == "1")
        #expect(await session.get(server.url, headers: ["Accept-Language": "fr"]).text == "2")
        #expect(await session.get(server.url).text == "3")
    }

    @Test func `a response to one user is not shown to another`() async throws {
        let server = try server([("Cache-Control", "max-age=60, public")])
        let cache = ResponseCache()
        let session = session(cache)
        #expect(await session.get(server.url, headers: ["Authorization": "Bearer a"]).text == "1")
        #expect(await session.get(server.url, headers: ["Authorization": "Bearer a"]).text == "1")
        #expect(await session.get(server.url, headers: ["Authorization": "Bearer b"]).text == "2")
        #expect(await session.get(server.url).text == "3")
        #expect(await session.get(server.url, headers: ["X-Api-Key": "k"]).text == "4")
        #expect(await self.session(cache).get(server.url, headers: ["X-Api-Key": "k"]).text == "5")
    }

    @Test(arguments: [("no-store", "2"), ("no-cache", "2"), ("max-age=5", "2"), ("max-age=50", "1")])
    func `a request says what it takes`(_ directive: String, text: String) async throws {
        let server = try server([("Cache-Control", "max-age=60")])
        let session = session()
        #expect(await session.get(server.url).text == "1")
        clock.advance(10)
        #expect(await session.get(server.url, headers: ["Cache-Control": directive]).text == text)
    }

    @Test func `requests for parts, of other methods, and with a password are not answered`() async throws {
        let server = try server([("Cache-Control", "max-age=60")])
        let session = session()
        #expect(await session.get(server.url).text == "1")
        #expect(await session.get(server.url, headers: ["Range": "bytes=0-"]).text == "2")
        #expect(await session.request(server.url, method: .options).serializingData().response.text == "3")
        #expect(
            await session.request(server.url).authenticate(username: "a", password: "b").serializingData().response.text
                == "4"
        )
        #expect(await session.get(server.url).text == "1")
    }

    @Test(arguments: [HTTPMethod.post, .put, .delete, .patch])
    func `a method that changes something makes what is kept untrue`(_ method: HTTPMethod) async throws {
        let server = try server([("Cache-Control", "max-age=60")])
        let session = session()
        #expect(await session.get(server.url).text == "1")
        #expect(await session.request(server.url, method: method).serializingData().response.text == "2")
        #expect(await session.get(server.url).text == "3")
    }

    @Test func `the cache policy of a request is obeyed`() async throws {
        let server = try server([("Cache-Control", "max-age=60"), ("ETag", "\"v\"")])
        let session = session()
        func get(_ policy: URLRequest.CachePolicy) async -> DataResponse<Data, SessionError> {
            var request = URLRequest(url: server.url)
            request.cachePolicy = policy
            return await session.request(request).serializingData().response
        }
        #expect(await get(.returnCacheDataDontLoad).error?.transportError?.code == .notCached)
        #expect(server.log.connections == 0)
        #expect(await get(.returnCacheDataElseLoad).text == "1")
        #expect(await get(.useProtocolCachePolicy).text == "1")
        #expect(await get(.reloadIgnoringLocalCacheData).text == "2")
        #expect(server.log.requests.last?.header("If-None-Match") == nil)
        #expect(await get(.reloadRevalidatingCacheData).text == "3")
        #expect(server.log.requests.last?.header("If-None-Match") == "\"v\"")
        clock.advance(1_000)
        #expect(await get(.returnCacheDataElseLoad).text == "3")
        #expect(await get(.returnCacheDataDontLoad).text == "3")
        #expect(await get(.useProtocolCachePolicy).text == "4")
    }

    @Test func `the target's response is not kept for the URL that redirected`() async throws {
        let count = Counter()
        let server = try LocalTLSServer.plain { request in
            let fields = [LocalTLSServer.Header("Cache-Control", "max-age=60")]
            guard request.path == "/b" else { return .redirect(to: "/b") }
            return .text("\(count.add())", headers: fields)
        }
        let session = session()
        for text in ["1", "2"] {
            #expect(await session.get(server.url(host: "localhost", path: "/a")).text == text)
        }
    }

    @Test func `what came back through another origin, without credentials, is not kept`() async throws {
        let count = Counter()
        let server = try LocalTLSServer.plain { request in
            let here = "http://localhost:\(request.header("Host")?.split(separator: ":").last ?? "")"
            if request.path == "/elsewhere" { return .redirect(to: "\(here)/a") }
            if count.add() == 1 {
                return .redirect(to: here.replacing("localhost", with: "127.0.0.1") + "/elsewhere")
            }
            let user = request.header("Authorization") ?? "nobody"
            return .text("for \(user)", headers: [.init("Cache-Control", "max-age=60")])
        }
        let session = session()
        for text in ["for nobody", "for me", "for me"] {
            let url = server.url(host: "localhost", path: "/a")
            #expect(await session.get(url, headers: ["Authorization": "me"]).text == text)
        }
        #expect(count.value == 3)
    }

    @Test func `a condition of the cache's own does not go along with a redirect`() async throws {
        let count = Counter()
        let server = try LocalTLSServer.plain { request in
            let tag = LocalTLSServer.Header("ETag", "\"v1\"")
            guard request.path == "/a" else {
                return request.header("If-None-Match") == nil ? .text("moved") : .init(status: 304, headers: [tag])
            }
            return count.add() == 1 ? .text("here", headers: [tag]) : .redirect(to: "/b")
        }
        let session = session()
        let url = server.url(host: "localhost", path: "/a")
        for text in ["here", "moved"] { #expect(await session.get(url).text == text) }
        let asked = server.log.requests.map { $0.header("If-None-Match") }
        #expect(asked == [nil, "\"v1\"", nil])
    }

    @Test func `a response that broke off is not kept`() async throws {
        let answers = Counter()
        let server = try LocalTLSServer.plain { _ in
            let isFirst = answers.add() == 1
            return .init(
                headers: [.init("Cache-Control", "max-age=60")],
                body: Data("whole".utf8),
                fault: isFirst ? .closeAfter(bytes: 2) : nil
            )
        }
        let session = session()
        #expect(await session.get(server.url).error != nil)
        #expect(await session.get(server.url).text == "whole")
    }

    // MARK: - Trust

    @Test func `after a change of the table nothing that came before it is used`() async throws {
        let world = try World()
        let count = Counter()
        let server = try LocalTLSServer(identity: world.identity) { _ in
            .text("\(count.add())", headers: [.init("Cache-Control", "max-age=60"), .init("ETag", "\"v\"")])
        }
        let manager = try world.manager()
        let evaluator = try world.pinned()
        let session = Session(
            configuration: .with { $0.cache = ResponseCache() },
            serverTrustManager: manager
        )
        #expect(await session.get(server.url).text == "1")
        #expect(await session.get(server.url).text == "1")
        try manager.replaceEvaluators(["localhost": evaluator])
        var request = URLRequest(url: server.url)
        request.cachePolicy = .returnCacheDataDontLoad
        #expect(await session.request(request).serializingData().response.error?.transportError?.code == .notCached)
        #expect(await session.get(server.url).text == "2")
        // Its body came from whom the old table believed: the server must not be asked whether it is still good.
        #expect(server.log.requests.last?.header("If-None-Match") == nil)
        #expect(await session.get(server.url).text == "2")
        #expect(server.log.handshakes.allSatisfy { !$0.isResumed })
        try manager.replaceEvaluators(["localhost": world.wronglyPinned()])
        for policy in [URLRequest.CachePolicy.useProtocolCachePolicy, .returnCacheDataElseLoad] {
            request.cachePolicy = policy
            #expect(await session.request(request).serializingData().response.refusal == .pinMismatch)
        }
    }

    @Test func `a response of a pinned host is another session's neither in memory nor on disk`() async throws {
        let world = try World()
        let count = Counter()
        let server = try LocalTLSServer(identity: world.identity) { _ in
            .text("\(count.add())", headers: [.init("Cache-Control", "public, max-age=60")])
        }
        let folder = try TemporaryDirectory()
        let cache = ResponseCache(directory: URL(filePath: folder.path(of: "cache")))
        #expect(await session(cache, try world.manager()).get(server.url).text == nil)
        let configuration = SessionConfiguration.with { $0.cache = cache }
        for text in ["1", "2"] {
            let session = Session(configuration: configuration, serverTrustManager: try world.manager())
            #expect(await session.get(server.url).text == text)
            #expect(await session.get(server.url).text == text)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "cache")).isEmpty)
    }

    // MARK: - Keeping

    private func files(_ folder: TemporaryDirectory) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path(of: "cache"))) ?? []
    }

    @Test func `what is no one's in particular outlives the session on disk, for its owner only`() async throws {
        let server = try server([("Cache-Control", "public, max-age=60")])
        let folder = try TemporaryDirectory()
        let directory = URL(filePath: folder.path(of: "cache"))
        #expect(await session(ResponseCache(directory: directory)).get(server.url).text == "1")
        #expect(await session(ResponseCache(directory: directory)).get(server.url).text == "1")
        let file = try #require(files(folder).first)
        let rights = try FileManager.default.attributesOfItem(atPath: "\(directory.path)/\(file)")[.posixPermissions]
        #expect(rights as? Int == 0o600)
        let folderRights = try FileManager.default.attributesOfItem(atPath: directory.path)[.posixPermissions]
        #expect(folderRights as? Int == 0o700)
        ResponseCache(directory: directory).removeAll()
        #expect(files(folder).isEmpty)
        #expect(await session(ResponseCache(directory: directory)).get(server.url).text == "2")
    }

    @Test func `what is somebody's, or may not be, is not on disk`() async throws {
        let folder = try TemporaryDirectory()
        let cache = ResponseCache(directory: URL(filePath: folder.path(of: "cache")))
        let session = session(cache)
        let rows: [([(String, String)], HTTPHeaders)] = [
            ([("Cache-Control", "public, max-age=60")], ["Authorization": "Bearer s3cret"]),
            ([("Cache-Control", "public, max-age=60")], ["Cookie": "id=s3cret"]),
            ([("Cache-Control", "private, max-age=60")], [:]), ([("Cache-Control", "max-age=60")], [:]),
            ([("Cache-Control", "public, max-age=60"), ("Set-Cookie", "id=s3cret")], [:]),
            ([("Cache-Control", "no-store")], [:]),
        ]
        for (fields, headers) in rows {
            let server = try server(fields)
            #expect(await session.get(server.url, headers: headers).text == "1")
        }
        #expect(files(folder).isEmpty)
        let server = try server([("Cache-Control", "public, max-age=60")])
        #expect(await session.get(server.url).text == "1")
        #expect(files(folder).count == 1)
    }

    @Test func `a file that is damaged is not there`() async throws {
        let server = try server([("Cache-Control", "public, max-age=60")])
        let folder = try TemporaryDirectory()
        let directory = URL(filePath: folder.path(of: "cache"))
        #expect(await session(ResponseCache(directory: directory)).get(server.url).text == "1")
        let file = try #require(files(folder).first)
        try Data("{}\nx".utf8).write(to: directory.appending(path: file))
        #expect(await session(ResponseCache(directory: directory)).get(server.url).text == "2")
        #expect(files(folder).count == 1)
    }

    @Test(arguments: [true, false])
    func `where there is no room those go that were not used for the longest time`(onDisk: Bool) async throws {
        let server = try LocalTLSServer.plain { request in
            .init(headers: [.init("Cache-Control", "public, max-age=60")], body: Data(repeating: 65, count: 10_000))
        }
        let folder = try TemporaryDirectory()
        let cache = ResponseCache(
            memoryCapacity: onDisk ? 0 : 25_000,
            directory: onDisk ? URL(filePath: folder.path(of: "cache")) : nil,
            diskCapacity: 25_000
        )
        let session = session(cache)
        func get(_ path: String) async { _ = await session.get(server.url(host: "localhost", path: path)) }
        for path in ["/a", "/b", "/a", "/c"] { await get(path) }
        #expect(server.log.requests.map(\.path) == ["/a", "/b", "/c"])
        for path in ["/c", "/a", "/b"] { await get(path) }
        #expect(server.log.requests.map(\.path) == ["/a", "/b", "/c", "/b"])
        #expect(files(folder).count == (onDisk ? 2 : 0))
    }

    @Test func `a handler says what is kept`() async throws {
        let server = try server([("Cache-Control", "max-age=60")])
        let cache = ResponseCache()
        let session = Session(configuration: .with { $0.cache = cache }, cachedResponseHandler: .doNotCache)
        #expect(await session.get(server.url).text == "1")
        #expect(await session.get(server.url).text == "2")
        let changed = ResponseCacher(
            behavior: .modify { _, response in CachedURLResponse(response: response.response, data: Data("kept".utf8)) }
        )
        #expect(await session.request(server.url).cacheResponse(using: changed).serializingData().response.text == "3")
        #expect(await session.get(server.url).text == "kept")
    }
}
