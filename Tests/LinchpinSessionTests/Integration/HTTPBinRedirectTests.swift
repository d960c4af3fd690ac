import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

extension HTTPBinTests {
    @Suite struct FollowingTests {
        private let bin: HTTPBin

        init() throws { bin = try .shared() }

        @Test(
            arguments: ["/redirect/3", "/relative-redirect/3", "/absolute-redirect/3"],
            NginxServer.HTTPVersion.allCases
        )
        func `redirects are followed to their end`(_ path: String, version: NginxServer.HTTPVersion) async throws {
            let response = try await bin.session(version).get(bin.url(path))
            #expect(response.status == 200, "\(response)")
            #expect(response.response?.url?.path == "/get")
            #expect(response.metrics?.redirectCount == 3)
        }

        @Test func `as many redirects as the session follows are followed, one more is an error`() async throws {
            let session = try bin.session { $0.maximumRedirects = 3 }
            #expect(try await session.get(bin.url("/relative-redirect/3")).status == 200)
            let response = try await session.get(bin.url("/relative-redirect/4"))
            #expect(response.error?.transportError?.code == .tooManyRedirects)
        }

        @Test(
            arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")],
            NginxServer.HTTPVersion.allCases
        )
        func `a POST that is redirected keeps its body where the status says so`(
            _ row: (status: Int, method: String),
            version: NginxServer.HTTPVersion
        ) async throws {
            let target = "/redirect-to?url=/anything&status_code=\(row.status)"
            let upload = try bin.session(version).upload(
                Data("body".utf8),
                to: bin.url(target),
                headers: ["Content-Type": "text/plain"]
            )
            let response = await upload.serializingData().response
            let echo = try JSONDecoder().decode(Echo.self, from: #require(response.value))
            #expect(echo.method == row.method)
            #expect(echo.data == (row.method == "POST" ? "body" : ""))
            #expect(echo.headers["Content-Type"] == (row.method == "POST" ? "text/plain" : nil))
        }

        @Test(arguments: ["/get?q=1#there", "/anything/%C3%A9", "/anything/caf\u{e9}", "//localhost"])
        func `a location is read as it is meant`(_ location: String) async throws {
            let isOtherAuthority = location.hasPrefix("//")
            let place = isOtherAuthority ? "\(location):\(bin.server.port)/get" : location
            let request = try bin.session().request(bin.url("/redirect-to"), parameters: ["url": place])
            let response = await request.serializingData().response
            #expect(response.status == 200, "\(response)")
            let url = try #require(response.response?.url)
            #expect(url.host == "localhost")
            #expect(url.fragment == (location.contains("#") ? "there" : nil))
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `another host is judged as its own, and gets no credential`(
            _ version: NginxServer.HTTPVersion
        ) async throws {
            let elsewhere = try bin.url("/headers?away=\(version)", host: "127.0.0.1").absoluteString
            let headers: HTTPHeaders = ["Authorization": "Bearer secret", "Cookie": "a=secret", "X-Kept": "1"]

            func go(_ manager: ServerTrustManager) async throws -> DataResponse<Data, SessionError> {
                let configuration = SessionConfiguration.with { $0.httpVersion = version == .http1 ? .http1 : .http2 }
                return await Session(configuration: configuration, serverTrustManager: manager).request(
                    try bin.url("/redirect-to"),
                    parameters: ["url": elsewhere],
                    headers: headers
                ).serializingData().response
            }
            #expect(try await go(bin.world.manager()).refusal == .noRequiredEvaluator)
            let wrong = try ServerTrustManager(
                evaluators: ["localhost": bin.world.pinned(), "127.0.0.1": bin.world.wronglyPinned()]
            )
            #expect(try await go(wrong).refusal == .pinMismatch)
            let right = try ServerTrustManager(
                evaluators: ["localhost": bin.world.pinned(), "127.0.0.1": bin.world.pinned()]
            )
            let response = try await go(right)
            #expect(response.status == 200, "\(response)")
            #expect(response.text?.contains("secret") == false)
            #expect(try await bin.log("/headers?away=\(version)", atLeast: 1).count == 1)
        }

        @Test func `a redirect to plain http or to another scheme is refused`() async throws {
            for place in ["http://127.0.0.1:1/", "http://localhost:1/", "ftp://localhost/", "file:///etc/hostname"] {
                let request = try bin.session().request(bin.url("/redirect-to"), parameters: ["url": place])
                let error = await request.serializingData().response.error
                let isRefused = error?.transportError?.code == .redirectRefused || error?.trustError != nil
                #expect(isRefused, "\(place): \(String(describing: error))")
            }
        }

        @Test func `a redirect that is not followed is the response`() async throws {
            let request = try bin.session().request(bin.url("/redirect/1")).redirect(using: Redirector.doNotFollow)
            let response = await request.serializingData().response
            #expect(response.status == 302)
            #expect(response.headers["Location"] != nil)
        }

        @Test func `a download and a stream follow redirects as well`() async throws {
            let session = try bin.session()
            let target = try bin.url("/redirect-to?url=/range/1000")
            let file = try await session.download(target).serializingDownloadedFileURL().value
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try Data(contentsOf: file).count == 1_000)
            var count = 0
            for try await part in session.streamRequest(target).streamTask().streamingData() { count += part.count }
            #expect(count == 1_000)
        }
    }
}
