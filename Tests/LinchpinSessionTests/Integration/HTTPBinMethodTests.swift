import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Testing

@testable import LinchpinSession

extension HTTPBinTests {
    /// Methods and the bodies that go with them, as a site of another make reads them.
    @Suite struct MethodTests {
        private let bin: HTTPBin

        init() throws { bin = try .shared() }

        private func echo(_ response: DataResponse<Data, SessionError>) throws -> Echo {
            #expect(response.status == 200, "\(response)")
            return try JSONDecoder().decode(Echo.self, from: #require(response.value))
        }

        @Test(
            arguments: [
                (HTTPMethod.get, "/get"), (.post, "/post"), (.put, "/put"), (.patch, "/patch"), (.delete, "/delete"),
                (.get, "/anything/a/b"), (.post, "/anything"), (.put, "/anything"), (.patch, "/anything"),
                (.delete, "/anything"),
            ],
            NginxServer.HTTPVersion.allCases
        )
        func `each method arrives, over the wanted version`(
            _ row: (method: HTTPMethod, path: String),
            version: NginxServer.HTTPVersion
        ) async throws {
            let target = "\(row.path)?method=\(row.method.rawValue)-\(version)"
            let request = try bin.session(version).request(bin.url(target), method: row.method, headers: ["X-A": "1"])
            let echo = try echo(await request.serializingData().response)
            #expect(echo.url == (try bin.url(target)).absoluteString)
            #expect(echo.headers["X-A"] == "1")
            #expect(echo.method == nil || echo.method == row.method.rawValue)
            let log = try await bin.log(target, atLeast: 1)
            #expect(log.map(\.httpVersion) == [version.name])
            #expect(log.map(\.method) == [row.method.rawValue])
        }

        @Test(arguments: ["/get", "/bytes/1000", "/stream/3", "/gzip"], NginxServer.HTTPVersion.allCases)
        func `a HEAD has no body and ends at once`(_ path: String, version: NginxServer.HTTPVersion) async throws {
            let session = try bin.session(version)
            let response = try await session.request(bin.url(path), method: .head).serializingData().response
            #expect(response.status == 200)
            #expect(response.body == "")
            #expect(try await session.get(bin.url("/uuid")).status == 200)
        }

        @Test func `OPTIONS tells the methods, and one that a page has not is refused`() async throws {
            let session = try bin.session()
            let options = try await session.request(bin.url("/get"), method: .options).serializingData().response
            #expect(options.headers["Allow"]?.contains("GET") == true)
            #expect(try await session.request(bin.url("/get"), method: .post).serializingData().response.status == 405)
        }

        /// Letters that have a meaning in a query, and some that have none.
        private static let parameters: [String: String] = [
            "plain": "a", "marks": "a+b&c=d;e/f?g#h%i", "space": "a b", "text": "é日🍏", "empty": "",
        ]

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `parameters arrive in the query`(_ version: NginxServer.HTTPVersion) async throws {
            let request = try bin.session(version).request(
                bin.url("/get"),
                parameters: Self.parameters.merging(["list": "1"]) { $1 }
            )
            let echo = try echo(await request.serializingData().response)
            for (name, value) in Self.parameters { #expect(echo.args?[name]?.values == [value], "\(name)") }
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `parameters arrive as a form`(_ version: NginxServer.HTTPVersion) async throws {
            let request = try bin.session(version).request(
                bin.url("/post"),
                method: .post,
                parameters: Self.parameters.merging(["list[]": "1"]) { $1 }
            )
            let echo = try echo(await request.serializingData().response)
            for (name, value) in Self.parameters { #expect(echo.form?[name]?.values == [value], "\(name)") }
            #expect(echo.args?.isEmpty == true)
            #expect(echo.headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true)
        }

        @Test func `repeated names of a query arrive in their order`() async throws {
            let request = try bin.session().request(bin.url("/get"), parameters: ["list": ["b", "a", "c"]])
            let echo = try echo(await request.serializingData().response)
            #expect(echo.args?["list[]"]?.values == ["b", "a", "c"])
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `parameters arrive as JSON`(_ version: NginxServer.HTTPVersion) async throws {
            let session = try bin.session(version)
            let loose = try session.request(
                bin.url("/post"),
                method: .post,
                parameters: Self.parameters,
                encoding: JSONEncoding.default
            )
            let typed = try session.request(
                bin.url("/put"),
                method: .put,
                parameters: Self.parameters,
                encoder: JSONParameterEncoder.default
            )
            for request in [loose, typed] {
                let echo = try echo(await request.serializingData().response)
                #expect(echo.json?.mapValues(\.values) == Self.parameters.mapValues { [$0] })
                #expect(echo.headers["Content-Type"] == "application/json")
            }
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `a form of parts arrives with text, data, a file and a stream`(
            _ version: NginxServer.HTTPVersion
        ) async throws {
            let directory = try TemporaryDirectory()
            let file = URL(filePath: try directory.write("from a file", to: "été.txt"))
            let form = MultipartFormData()
            form.append(Data("value é".utf8), withName: "text")
            form.append(Data([0, 255]), withName: "data", fileName: "a\"b.bin", mimeType: "application/octet-stream")
            form.append(file, withName: "file")
            let streamed = Data("from a stream".utf8)
            form.append(
                InputStream(data: streamed),
                withLength: UInt64(streamed.count),
                name: "stream",
                fileName: "s",
                mimeType: "text/plain"
            )
            let upload = try bin.session(version).upload(multipartFormData: form, to: bin.url("/post"))
            let echo = try echo(await upload.serializingData().response)
            #expect(echo.form == ["text": "value é"])
            #expect(echo.files?["file"] == "from a file")
            #expect(echo.files?["stream"] == "from a stream")
            #expect(echo.files?["data"] == "data:application/octet-stream;base64,AP8=")
        }

        enum Source: CaseIterable { case data, file, stream }

        @Test(arguments: Source.allCases, NginxServer.HTTPVersion.allCases)
        func `a body of a megabyte arrives whole, wherever it comes from`(
            _ source: Source,
            version: NginxServer.HTTPVersion
        ) async throws {
            let session = try bin.session(version)
            let body = Data((0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 % 95 + 32) })
            let url = try bin.url("/put")
            let directory = try TemporaryDirectory()
            let upload =
                switch source {
                case .data: session.upload(body, to: url, method: .put)
                case .file:
                    session.upload(URL(filePath: try directory.write(body, to: "body")), to: url, method: .put)
                case .stream: session.upload(InputStream(data: body), to: url, method: .put)
                }
            let echo = try echo(await upload.serializingData().response)
            #expect(echo.data == String(decoding: body, as: UTF8.self))
            #expect(echo.headers["Content-Length"] == (source == .stream ? nil : "\(body.count)"))
        }

        @Test(arguments: [HTTPMethod.post, .put, .patch], NginxServer.HTTPVersion.allCases)
        func `an empty body says that it is empty`(
            _ method: HTTPMethod,
            version: NginxServer.HTTPVersion
        ) async throws {
            let request = try bin.session(version).request(bin.url("/anything"), method: method)
            let echo = try echo(await request.serializingData().response)
            #expect(echo.headers["Content-Length"] == "0")
            #expect(echo.data == "")
        }

        @Test func `the session's fields are sent, and a request's own are put before them`() async throws {
            let session = try bin.session { $0.headers.update(name: "X-Session", value: "s") }
            let first = try echo(await session.get(bin.url("/headers?1")))
            #expect(first.headers["X-Session"] == "s")
            #expect(first.headers["User-Agent"] == HTTPHeader.defaultUserAgent.value)
            let second = try echo(await session.get(bin.url("/headers?2"), headers: ["X-Session": "r", "X-Long": "é"]))
            #expect(second.headers["X-Session"] == "r")
        }
    }
}
