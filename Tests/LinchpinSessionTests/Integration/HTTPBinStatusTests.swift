import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Testing

@testable import LinchpinSession

extension HTTPBinTests {
    @Suite struct StatusTests {
        private let bin: HTTPBin

        init() throws { bin = try .shared() }

        @Test(
            arguments: [200, 201, 202, 204, 206, 226, 304, 400, 401, 403, 404, 405, 406, 407, 408, 409, 410, 418, 421],
            NginxServer.HTTPVersion.allCases
        )
        func `a status is the response, and validation says whether it will do`(
            _ status: Int,
            version: NginxServer.HTTPVersion
        ) async throws {
            let session = try bin.session(version)
            let url = try bin.url("/status/\(status)")
            let response = await session.get(url)
            #expect(response.status == status, "\(response)")
            #expect(response.error?.transportError == nil, "\(response)")
            let error = await session.request(url).validate().serializingData(emptyResponseCodes: Set(200..<300))
                .response.error
            #expect((error?.responseCode == status) == !(200..<300).contains(status), "\(String(describing: error))")
            #expect(try await session.get(bin.url("/uuid")).status == 200)
        }

        /// Back-off without a delay worth waiting for.
        private static func policy(limit: UInt = 2) -> RetryPolicy {
            RetryPolicy(retryLimit: limit, exponentialBackoffScale: 0.01)
        }

        @Test(arguments: [(500, 3), (502, 3), (503, 3), (504, 3), (408, 3), (429, 3), (404, 1), (400, 1), (418, 1)])
        func `a status that may pass is tried again, one that will not is not`(
            _ status: Int,
            attempts: Int
        ) async throws {
            let target = "/status/\(status)?retried"
            let request = try bin.session().request(bin.url(target), interceptor: Self.policy()).validate()
            #expect(await request.serializingData().response.error?.responseCode == status)
            #expect(request.retryCount == attempts - 1)
            #expect(try await bin.log(target, atLeast: attempts).count == attempts)
        }

        @Test(arguments: [(HTTPMethod.post, 1), (.put, 3), (.delete, 3), (.patch, 1)])
        func `a method that may do harm twice is not sent again`(_ method: HTTPMethod, attempts: Int) async throws {
            let target = "/status/503?method=\(method.rawValue)"
            let request = try bin.session().request(bin.url(target), method: method, interceptor: Self.policy())
                .validate()
            #expect(await request.serializingData().response.error?.responseCode == 503)
            #expect(try await bin.log(target, atLeast: attempts).count == attempts)
        }

        /// A page that fails half of the time does not fail twenty times in a row.
        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `a page that fails now and then is had in the end`(_ version: NginxServer.HTTPVersion) async throws {
            let policy = RetryPolicy(retryLimit: 20, exponentialBackoffScale: 0)
            let request = try bin.session(version).request(bin.url("/status/200,503"), interceptor: policy).validate()
            #expect(await request.serializingData(emptyResponseCodes: [200]).response.error == nil)
        }

        @Test func `a download of an error page keeps its file, and says that it is one`() async throws {
            let response = try await bin.session().download(bin.url("/status/418")).validate()
                .serializingDownloadedFileURL().response
            #expect(response.error?.responseCode == 418)
            let file = try #require(response.fileURL)
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try String(contentsOf: file, encoding: .utf8).contains("teapot"))
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `a validator that still holds is answered with 304, another with the page`(
            _ version: NginxServer.HTTPVersion
        ) async throws {
            let session = try bin.session(version)
            let url = try bin.url("/etag/abc")
            #expect(await session.get(url).headers["etag"] == "abc")
            let same = await session.get(url, headers: ["If-None-Match": "abc"])
            #expect(same.status == 304)
            #expect(same.body == "")
            #expect(await session.get(url, headers: ["If-None-Match": "other"]).status == 200)
            #expect(await session.get(url, headers: ["If-Match": "other"]).status == 412)
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `repeated and long response fields arrive`(_ version: NginxServer.HTTPVersion) async throws {
            let long = String(repeating: "x", count: 3_000)
            let target = "/response-headers?X-Many=1&X-Many=2&X-Long=\(long)&x-lower=l"
            let response = try await bin.session(version).get(bin.url(target))
            #expect(response.headers.values(for: "x-many") == ["1", "2"])
            #expect(response.headers["X-LONG"] == long)
            #expect(response.headers["X-Lower"] == "l")
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `the metrics tell the protocol, and that connections are kept`(
            _ version: NginxServer.HTTPVersion
        ) async throws {
            let session = try bin.session(version)
            let first = try #require(try await session.get(bin.url("/get?metrics=1")).metrics)
            let second = try #require(try await session.get(bin.url("/get?metrics=2")).metrics)
            #expect(first.networkProtocolName == (version == .http1 ? "http/1.1" : "h2"))
            #expect(first.tlsVersion == "TLSv1.3")
            #expect(!first.isReusedConnection && second.isReusedConnection)
            #expect(first.peerCertificates.first == bin.world.identity.certificate)
        }
    }
}
