import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Synchronization
import Testing

@testable import LinchpinSession

/// No file is left that nobody was told of.
@Suite struct DownloadedFilesTests {
    private static let content = Data((0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private static func exists(_ file: URL?) -> Bool {
        file.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
    }

    @Test func `what an attempt brought that is made again is removed`() async throws {
        let count = Counter()
        let server = try LocalTLSServer.plain { _ in .text("answer", status: count.add() < 3 ? 503 : 200) }
        let files = Recorded<URL?>()
        let session = Session(interceptor: .retrier { _, _, _, completion in completion(.retry) })
        let file = try await session.download(server.url)
            .validate { _, response, file in
                files.add(file)
                return response.statusCode == 200 ? .success(()) : .failure(UnwantedStatus(status: response.statusCode))
            }
            .serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(files.all.count == 3)
        #expect(files.all.map { Self.exists($0) } == [false, false, true])
        #expect(files.all.last == file)
    }

    @Test func `an attempt's error response is kept where there is no other attempt`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("why", status: 503) }
        let session = Session(interceptor: .retrier { _, _, _, completion in completion(.doNotRetry) })
        let response = await session.download(server.url).wantingSuccess().serializingDownloadedFileURL().response
        #expect(response.error != nil)
        let file = try #require(response.fileURL)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == Data("why".utf8))
    }

    @Test(arguments: [true, false])
    func `a download that is cancelled when it has come leaves no file`(_ hasRetrier: Bool) async throws {
        let server = try LocalTLSServer.plain { _ in .text("answer") }
        let files = Recorded<URL?>()
        let session = Session(interceptor: hasRetrier ? .retrier { _, _, _, end in end(.doNotRetry) } : nil)
        let download = session.download(server.url)
        download.validate { [unowned download] _, _, file in
            files.add(file)
            download.cancel()
            return .success(())
        }
        let response = await download.serializingDownloadedFileURL().response
        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(files.all.count == 1)
        #expect(try await eventually { !Self.exists(files.all[0]) })
    }

    @Test func `a download whose session ends while a retrier thinks leaves no file`() async throws {
        let server = try LocalTLSServer.plain { _ in .text("why", status: 503) }
        let files = Recorded<URL?>()
        let asked = AsyncStream.makeStream(of: Void.self)
        let session = Session(interceptor: .retrier { _, _, _, _ in asked.continuation.finish() })
        let task = session.download(server.url)
            .validate { _, _, file in
                files.add(file)
                return .failure(UnwantedStatus(status: 503))
            }
            .serializingDownloadedFileURL()
        for await _ in asked.stream {}
        await session.invalidate()
        #expect(await task.response.error != nil)
        #expect(files.all.count == 1)
        #expect(try await eventually { !Self.exists(files.all[0]) })
    }

    @Test func `what broke off is not left where another attempt got another answer`() async throws {
        let count = Counter()
        let server = try LocalTLSServer.plain { _ in
            guard count.add() == 1 else { return .text("gone", status: 404) }
            return .init(headers: [.init("ETag", "\"v1\"")], body: Self.content, fault: .closeAfter(bytes: 300_000))
        }
        let parts = Recorded<String?>()
        let retrier = Retrier { request, _, _, completion in
            parts.add(request.latestOutcome?.partialDownload?.path)
            completion(.retry)
        }
        let session = Session(interceptor: retrier)
        let file = try await session.download(server.url).serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == Data("gone".utf8))
        let part = try #require(parts.all.first ?? nil)
        #expect(!FileManager.default.fileExists(atPath: part))
    }

    @Test func `a resumed download that breaks off again is tried again`() async throws {
        let count = Counter()
        let server = try LocalTLSServer.plain { request in
            let tag = LocalTLSServer.Header("ETag", "\"v1\"")
            guard let range = request.header("Range"), let start = Int(range.dropFirst("bytes=".count).dropLast())
            else {
                return .init(headers: [tag], body: Self.content, fault: .closeAfter(bytes: 300_000))
            }
            let content = LocalTLSServer.Header(
                "Content-Range",
                "bytes \(start)-\(Self.content.count - 1)/\(Self.content.count)"
            )
            let isFirst = count.add() == 1
            return .init(
                status: 206,
                headers: [tag, content],
                body: Self.content[start...],
                fault: isFirst ? .closeAfter(bytes: 300_000) : nil
            )
        }
        let session = Session()
        let data = try #require(await session.download(server.url).serializingDownloadedFileURL().response.resumeData)
        let response = try await session.download(
            resumingWith: data,
            interceptor: .retrier { _, _, _, completion in completion(.retryWithDelay(0.01)) }
        ).serializingDownloadedFileURL().response
        let file = try #require(response.value, "\(response)")
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == Self.content)
    }

    @Test func `a part that the caller asked for is not resumed as if it were the beginning`() async throws {
        let server = try LocalTLSServer.plain { _ in
            .init(
                status: 206,
                headers: [.init("ETag", "\"v1\""), .init("Content-Range", "bytes 1000-899999/900000")],
                body: Self.content[1_000...],
                fault: .closeAfter(bytes: 300_000)
            )
        }
        let response = await Session().download(server.url, headers: ["Range": "bytes=1000-"])
            .serializingDownloadedFileURL().response
        #expect(response.error?.transportError?.code == .connectionLost)
        #expect(response.resumeData == nil)
    }
}
