import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Testing

@testable import LinchpinSession

@Suite struct DownloadTests {
    private static let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    /// Serves ``content`` and parts of it, with this validator.
    private static func server(etag: String? = "\"v1\"", breaksOff: Bool = false) throws -> LocalTLSServer {
        try .plain { request in
            var headers = [LocalTLSServer.Header("Accept-Ranges", "bytes")]
            if let etag { headers.append(.init("ETag", etag)) }
            if let range = request.header("Range"), request.header("If-Range") == etag,
                let start = Int(range.dropFirst("bytes=".count).dropLast())
            {
                headers.append(.init("Content-Range", "bytes \(start)-\(content.count - 1)/\(content.count)"))
                return .init(status: 206, headers: headers, body: content[start...])
            }
            let isWhole = !breaksOff || request.header("Range") != nil
            return .init(headers: headers, body: content, fault: isWhole ? nil : .closeAfter(bytes: 300_000))
        }
    }

    @Test func `a download goes to where the destination says`() async throws {
        let server = try Self.server()
        let directory = try TemporaryDirectory()
        let target = URL(filePath: directory.path(of: "a/b/file"))
        let response = await Session()
            .download(server.url, to: { _, _ in (target, [.createIntermediateDirectories]) })
            .serializingDownloadedFileURL().response
        #expect(response.value == target)
        #expect(try Data(contentsOf: target) == Self.content)
    }

    @Test(arguments: [true, false])
    func `a file that is there is replaced only if that was asked for`(_ replaces: Bool) async throws {
        let server = try Self.server()
        let directory = try TemporaryDirectory()
        let target = URL(filePath: directory.path(of: "file"))
        try Data("old".utf8).write(to: target)
        let response = await Session()
            .download(server.url, to: { _, _ in (target, replaces ? [.removePreviousFile] : []) })
            .serializingDownloadedFileURL().response
        if replaces {
            #expect(try Data(contentsOf: target) == Self.content)
        } else {
            guard case .downloadedFileMoveFailed(_, _, target) = response.error else {
                Issue.record("\(String(describing: response.error))")
                return
            }
            #expect(try Data(contentsOf: target) == Data("old".utf8))
        }
    }

    @Test func `a download without a destination is a temporary file that only its owner may read`() async throws {
        let server = try Self.server()
        let file = try await Session().download(server.url).serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == Self.content)
        let permissions = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
    }

    @Test func `what broke off is resumed, and only the rest is sent`() async throws {
        let server = try Self.server(breaksOff: true)
        let session = Session()
        let first = await session.download(server.url).serializingDownloadedFileURL().response
        #expect(first.error?.transportError?.code == .connectionLost)
        let resumeData = try #require(first.resumeData)
        let second = try session.download(resumingWith: resumeData)
        let file = try await second.serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == Self.content)
        #expect(second.response?.statusCode == 206)
        #expect(server.log.requests.last?.header("Range") == "bytes=300000-")
        #expect(server.log.requests.last?.header("If-Range") == "\"v1\"")
    }

    @Test func `what has changed since is sent as a whole`() async throws {
        let server = try Self.server(breaksOff: true)
        let session = Session()
        let resumeData = try #require(
            await session.download(server.url).serializingDownloadedFileURL().response.resumeData
        )
        var plan = try JSONDecoder().decode(PartialDownload.self, from: resumeData)
        plan = PartialDownload(url: plan.url, path: plan.path, byteCount: plan.byteCount, validator: "\"v0\"")
        let second = try session.download(resumingWith: #require(plan.resumeData))
        let file = try await second.serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(second.response?.statusCode == 200)
        #expect(try Data(contentsOf: file) == Self.content)
    }

    @Test(arguments: [nil, "W/\"weak\""])
    func `nothing is resumed that could not be told from another version`(_ etag: String?) async throws {
        let server = try Self.server(etag: etag, breaksOff: true)
        let response = await Session().download(server.url).serializingDownloadedFileURL().response
        #expect(response.error?.transportError?.code == .connectionLost)
        #expect(response.resumeData == nil)
    }

    @Test(arguments: ["bytes 0-1/9", "bytes 5-6/9", "bytes 5-7", "bytes 5-/7", "bytes 6-7/8", "5-6/7", ""])
    func `another range than the one asked for is an error`(_ range: String) async throws {
        let directory = try TemporaryDirectory()
        let file = URL(filePath: directory.path(of: "part"))
        try Data("12345".utf8).write(to: file)
        let server = try LocalTLSServer.plain { _ in
            .init(status: 206, headers: [.init("Content-Range", range)], body: Data("xx".utf8))
        }
        let plan = PartialDownload(url: server.url, path: file.path, byteCount: 5, validator: "\"v1\"")
        let session = Session()
        let response = try await session.download(resumingWith: #require(plan.resumeData))
            .serializingDownloadedFileURL().response
        #expect(response.error?.transportError?.code == .badServerResponse)
        #expect(try Data(contentsOf: file) == Data("12345".utf8))
    }

    @Test(arguments: ["bytes 5-6/7", "Bytes 5-6/*"])
    func `the range that was asked for completes the file`(_ range: String) async throws {
        let directory = try TemporaryDirectory()
        let file = URL(filePath: directory.path(of: "part"))
        try Data("12345".utf8).write(to: file)
        let server = try LocalTLSServer.plain { _ in
            .init(status: 206, headers: [.init("Content-Range", range)], body: Data("xx".utf8))
        }
        let plan = PartialDownload(url: server.url, path: file.path, byteCount: 5, validator: "\"v1\"")
        let session = Session()
        _ = try await session.download(resumingWith: #require(plan.resumeData)).serializingDownloadedFileURL().value
        #expect(try Data(contentsOf: file) == Data("12345xx".utf8))
    }

    @Test(arguments: [
        Data(), Data("no".utf8), Data(#"{"url":"https://a/","path":"/nowhere","byteCount":5,"validator":"x"}"#.utf8),
    ])
    func `what is no resume data is an error at once`(_ data: Data) {
        #expect(throws: SessionError.self) { try Session().download(resumingWith: data) }
    }

    @Test func `a cancelled download gives resume data to who asks for it`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .init(headers: [.init("ETag", "\"v1\"")], body: Self.content, fault: .holdAfter(bytes: 300_000))
        }
        let session = Session()
        let download = session.download(server.url).resume()
        for await progress in download.downloadProgress() where progress.completedUnitCount == 300_000 { break }
        let data = await withCheckedContinuation { continuation in
            download.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
        }
        let partial = try PartialDownload(resumeData: #require(data))
        #expect(partial.byteCount == 300_000)
        #expect(try Data(contentsOf: URL(filePath: partial.path)) == Self.content.prefix(300_000))
        partial.remove()
    }

    @Test func `a cancelled download leaves no file where nobody asked for it`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .init(headers: [.init("ETag", "\"v1\"")], body: Self.content, fault: .holdAfter(bytes: 300_000))
        }
        let session = Session()
        let download = session.download(server.url).resume()
        for await progress in download.downloadProgress() where progress.completedUnitCount == 300_000 { break }
        download.cancel()
        let response = await download.serializingDownloadedFileURL().response
        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(response.resumeData == nil)
    }

    @Test func `download progress tells the total`() async throws {
        let server = try Self.server()
        let session = Session()
        let download = session.download(server.url)
        let states = download.downloadProgress()
        let file = try await download.serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: file) }
        var last: TransferProgress?
        for await state in states { last = state }
        #expect(last == TransferProgress(completedUnitCount: 1_000_000, totalUnitCount: 1_000_000))
    }
}
