import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Testing

@testable import LinchpinSession

/// Files of a real nginx.
@Suite struct NginxTransferTests {
    private static let content = Data((0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    /// An nginx with a folder of files under `/files/`, which takes files by PUT as well.
    private struct Site {
        let world: World
        let files: TemporaryDirectory
        let server: NginxServer

        init(_ version: NginxServer.HTTPVersion, _ configuration: String = "") async throws {
            world = try World()
            files = try TemporaryDirectory()
            server = try await NginxServer.start(
                identity: world.nginxIdentity,
                version: version,
                logging: ["http_range", "http_if_range", "http_accept_encoding", "body_bytes_sent"],
                serverConfiguration: """
                    location /files/ {
                        alias \(files.path)/;
                        dav_methods PUT;
                        client_max_body_size 100m;
                        \(configuration)
                    }
                    """
            )
        }

        func url(_ name: String) throws -> URL {
            try #require(URL(string: "https://localhost:\(server.port)/files/\(name)"))
        }
    }

    @Test func `streams that nobody reads cost nothing, whatever else goes on over HTTP/2`() async throws {
        let site = try await Site(.http2)
        try site.files.write(Data(repeating: 1, count: 40_000_000), to: "large")
        try site.files.write("small", to: "small")
        let session = try site.world.session(.http2)
        #expect(await session.get(try site.url("small")).metrics?.networkProtocolName == "h2")
        var readers: [DataChunks.Iterator] = []
        var requests: [DataStreamRequest] = []
        for _ in 0..<4 {
            requests.append(session.streamRequest(try site.url("large")))
            readers += requests.suffix(1).map { $0.streamTask().streamingData().makeAsyncIterator() }
        }
        for _ in 0..<50 { #expect(await session.get(try site.url("small")).text == "small") }
        for request in requests {
            #expect(request.downloadReporter.latest?.completedUnitCount ?? 0 < 2_000_000)
        }
        for try await _ in session.streamRequest(try site.url("small")).streamTask().streamingData() {}
        let log = try await site.server.accessLog(atLeast: 52)
        #expect(log.count(where: { $0.httpVersion == "HTTP/2.0" }) == 51)
        #expect(log.count(where: { $0.httpVersion == "HTTP/1.1" }) == 1)
        withExtendedLifetime(readers) {}
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `parts of a file are what was asked for`(_ version: NginxServer.HTTPVersion) async throws {
        let site = try await Site(version)
        try site.files.write("abcdefghij", to: "letters.txt")
        let session = try site.world.session(version)
        let url = try site.url("letters.txt")
        for (range, text) in [("bytes=2-4", "cde"), ("bytes=7-", "hij"), ("bytes=-2", "ij"), ("bytes=0-99", nil)] {
            let response = await session.get(url, headers: ["Range": range])
            #expect(response.status == 206, "\(range)")
            #expect(response.text == text ?? "abcdefghij")
        }
        let beyond = await session.get(url, headers: ["Range": "bytes=10-"])
        #expect(beyond.status == 416)
        #expect(beyond.headers["Content-Range"] == "bytes */10")
        let several = await session.get(url, headers: ["Range": "bytes=0-0,9-9"])
        #expect(several.status == 206)
        #expect(several.headers["Content-Type"]?.hasPrefix("multipart/byteranges") == true)
    }

    /// The server sends the first part at once and the rest so slowly that the download is caught in between.
    @Test(arguments: NginxServer.HTTPVersion.allCases, [false, true])
    func `a cancelled download is resumed where it was, or begun anew where the file has changed`(
        _ version: NginxServer.HTTPVersion,
        hasChanged: Bool
    ) async throws {
        let site = try await Site(version, "limit_rate_after 500k; limit_rate $arg_rate;")
        try site.files.write(Self.content, to: "file")
        let session = try site.world.session(version) { $0.timeouts.idle = 50 }
        let download = session.download(try site.url("file?rate=1000"))
        let progress = download.downloadProgress()
        download.resume()
        for await state in progress where state.completedUnitCount > 400_000 {
            #expect(state.totalUnitCount == Int64(Self.content.count))
            break
        }
        let resumeData = await withCheckedContinuation { continuation in
            _ = download.cancel { continuation.resume(returning: $0) }
        }
        var plan = try JSONDecoder().decode(PartialDownload.self, from: #require(resumeData))
        // The rest is asked for under a name that is not slow.
        plan = PartialDownload(
            url: try site.url("file"),
            path: plan.path,
            byteCount: plan.byteCount,
            validator: plan.validator
        )
        let whole = hasChanged ? Data(Self.content.reversed()) + [1] : Self.content
        if hasChanged { try site.files.write(whole, to: "file") }
        let second = try session.download(resumingWith: #require(plan.resumeData))
        let file = try await second.serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == whole)
        #expect(second.response?.statusCode == (hasChanged ? 200 : 206))
        let log = try await site.server.accessLog(atLeast: 2)
        let entry = try #require(log.first { $0.target == "/files/file" })
        #expect(entry.variables["http_range"] == "bytes=\(plan.byteCount)-")
        #expect(entry.variables["http_if_range"] == plan.validator)
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `a stopped server leaves a download that the next one goes on with`(
        _ version: NginxServer.HTTPVersion
    ) async throws {
        let site = try await Site(version, "limit_rate_after 500k; limit_rate 1000;")
        try site.files.write(Self.content, to: "file")
        let session = try site.world.session(version)
        let download = session.download(try site.url("file"))
        let progress = download.downloadProgress()
        download.resume()
        for await state in progress where state.completedUnitCount > 400_000 { break }
        site.server.stop()
        let response = await download.serializingDownloadedFileURL().response
        #expect(response.error?.transportError?.code == .connectionLost, "\(response)")
        let plan = try JSONDecoder().decode(PartialDownload.self, from: #require(response.resumeData))
        #expect(plan.byteCount > 400_000)
        try FileManager.default.removeItem(atPath: plan.path)
    }

    enum Source: CaseIterable { case data, file, stream }

    @Test(arguments: Source.allCases, NginxServer.HTTPVersion.allCases)
    func `what is put is there byte for byte`(_ source: Source, version: NginxServer.HTTPVersion) async throws {
        let site = try await Site(version)
        let session = try site.world.session(version)
        let url = try site.url("new")
        let directory = try TemporaryDirectory()
        let upload =
            switch source {
            case .data: session.upload(Self.content, to: url, method: .put)
            case .file:
                session.upload(URL(filePath: try directory.write(Self.content, to: "body")), to: url, method: .put)
            case .stream: session.upload(InputStream(data: Self.content), to: url, method: .put)
            }
        let response = await upload.serializingData(emptyResponseCodes: [201]).response
        #expect(response.status == 201, "\(response) \(site.server.errorLog)")
        #expect(try Data(contentsOf: URL(filePath: site.files.path(of: "new"))) == Self.content)
        #expect(await session.get(url).value == Self.content)
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `text that nginx compresses is decoded, and only where the caller takes it so`(
        _ version: NginxServer.HTTPVersion
    ) async throws {
        let site = try await Site(version, "gzip on; gzip_types *; gzip_min_length 1;")
        let text = String(repeating: "hello, ", count: 10_000)
        try site.files.write(text, to: "text.txt")
        let session = try site.world.session(version)
        let url = try site.url("text.txt")
        let coded = await session.get(url)
        #expect(coded.text == text)
        let plain = await session.get(url, headers: ["Accept-Encoding": "identity"])
        #expect(plain.text == text)
        let sent = try await site.server.accessLog(atLeast: 2).map { Int($0.variables["body_bytes_sent"] ?? "") ?? 0 }
        #expect(try #require(sent.first) < 2_000)
        #expect(try #require(sent.last) >= text.utf8.count)
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `a head tells the length of a file, and an unchanged file is not sent again`(
        _ version: NginxServer.HTTPVersion
    ) async throws {
        let site = try await Site(version)
        try site.files.write(Self.content, to: "file")
        let session = try site.world.session(version)
        let url = try site.url("file")
        let head = await session.request(url, method: .head).serializingData().response
        #expect(head.status == 200)
        #expect(head.headers["Content-Length"] == "\(Self.content.count)")
        #expect(head.body == "")
        let etag = try #require(head.headers["ETag"])
        let changed = try #require(head.headers["Last-Modified"])
        for headers in [HTTPHeaders(["If-None-Match": etag]), HTTPHeaders(["If-Modified-Since": changed])] {
            let response = await session.get(url, headers: headers)
            #expect(response.status == 304)
            #expect(response.body == "")
        }
        #expect(await session.get(url, headers: ["If-Match": "\"other\""]).status == 412)
        #expect(await session.get(try site.url("missing")).status == 404)
    }

    @Test(arguments: NginxServer.HTTPVersion.allCases)
    func `trailers end a body and are no fields of the response`(_ version: NginxServer.HTTPVersion) async throws {
        let site = try await Site(version, "add_header X-Head 1; add_trailer X-Sum $body_bytes_sent;")
        try site.files.write("hello", to: "file")
        let session = try site.world.session(version)
        for _ in 0..<2 {
            let response = await session.get(try site.url("file"))
            #expect(response.text == "hello")
            #expect(response.headers["X-Head"] == "1")
            #expect(response.headers["X-Sum"] == nil)
        }
        #expect(Set(try await site.server.accessLog(atLeast: 2).map(\.connection)).count == 1)
    }
}
