import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Testing

@testable import LinchpinSession

extension HTTPBinTests {
    /// What comes back: codings, charsets, parts of a body, and bodies that take their time.
    @Suite struct BodyTests {
        private let bin: HTTPBin

        init() throws { bin = try .shared() }

        private static let runes = (text: "ᚻᛖ é日🍏", base64: "4Zq74ZuWIMOp5pel8J-Njw==")

        struct Coded: Decodable {
            var gzipped: Bool?
            var deflated: Bool?
            var brotli: Bool?
        }

        @Test(arguments: ["/gzip", "/deflate", "/brotli"], NginxServer.HTTPVersion.allCases)
        func `an encoded body is decoded`(_ path: String, version: NginxServer.HTTPVersion) async throws {
            let session = try bin.session(version)
            let response = try await session.request(bin.url(path)).serializingDecodable(Coded.self).response
            let coded = try #require(response.value, "\(response)")
            #expect([coded.gzipped, coded.deflated, coded.brotli].contains(true))
            // In a file and in parts as well.
            let file = try await session.download(bin.url(path)).serializingDownloadedFileURL().value
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(throws: Never.self) { try JSONDecoder().decode(Coded.self, from: Data(contentsOf: file)) }
            var streamed = Data()
            for try await part in try session.streamRequest(bin.url(path)).streamTask().streamingData() {
                streamed += part
            }
            #expect(throws: Never.self) { try JSONDecoder().decode(Coded.self, from: streamed) }
        }

        @Test(arguments: ["/base64/\(runes.base64)", "/html", "/xml", "/robots.txt"], NginxServer.HTTPVersion.allCases)
        func `text is read as its charset says`(_ path: String, version: NginxServer.HTTPVersion) async throws {
            let response = try await bin.session(version).request(bin.url(path)).validate().serializingString().response
            let text = try #require(response.value, "\(response)")
            #expect(Data(text.utf8) == response.data)
            if path.hasPrefix("/base64") { #expect(text == Self.runes.text) }
        }

        @Test(arguments: ["png", "jpeg", "webp", "svg"])
        func `an image is what its type says`(_ kind: String) async throws {
            let request = try bin.session().request(bin.url("/image/\(kind)")).validate(contentType: ["image/*"])
            #expect(try await request.serializingData().value.count > 1_000)
            let refused = try bin.session().request(bin.url("/image/\(kind)")).validate(contentType: ["text/html"])
            #expect(await refused.serializingData().response.error?.isResponseValidationError == true)
        }

        @Test(arguments: [0, 1, 1_000, 102_400], NginxServer.HTTPVersion.allCases)
        func `bytes arrive all, with a length and without`(
            _ count: Int,
            version: NginxServer.HTTPVersion
        ) async throws {
            let session = try bin.session(version)
            func bytes(_ path: String) async throws -> Data? {
                try await session.request(bin.url("\(path)/\(count)"))
                    .serializingData(emptyResponseCodes: [200]).response.value
            }
            #expect(try await bytes("/bytes")?.count == count)
            #expect(try await bytes("/stream-bytes")?.count == count)
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `a part of a body is what was asked for`(_ version: NginxServer.HTTPVersion) async throws {
            let session = try bin.session(version)
            let url = try bin.url("/range/26")
            #expect(await session.get(url).text == "abcdefghijklmnopqrstuvwxyz")
            for (range, text) in [("bytes=2-4", "cde"), ("bytes=23-", "xyz"), ("bytes=-2", "yz")] {
                let response = await session.get(url, headers: ["Range": range])
                #expect(response.status == 206)
                #expect(response.text == text)
            }
            let beyond = await session.get(url, headers: ["Range": "bytes=30-40"])
            #expect(beyond.status == 416)
            #expect(beyond.headers["Content-Range"] == "bytes */26")
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `lines are handed on as they come`(_ version: NginxServer.HTTPVersion) async throws {
            struct Line: Decodable { let id: Int }
            let request = try bin.session(version).streamRequest(bin.url("/stream/20"))
            var body = Data()
            for try await part in request.streamTask().streamingData() { body += part }
            let ids = try body.split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(Line.self, from: $0).id
            }
            #expect(ids == Array(0..<20))
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `a body that drips is read drop by drop`(_ version: NginxServer.HTTPVersion) async throws {
            let target = "/drip?duration=60&numbytes=3&v=\(version)"
            let request = try bin.session(version).streamRequest(bin.url(target))
            var parts = request.streamTask().streamingData().makeAsyncIterator()
            #expect(try await parts.next() == Data("*".utf8))
            #expect(try bin.server.nginx.accessLog().allSatisfy { $0.target != target }, "it had ended")
            request.cancel()
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `an answer that is late ends by the time-out that is for it, and in time it is none`(
            _ version: NginxServer.HTTPVersion
        ) async throws {
            let session = try bin.session(version)
            let url = try bin.url("/delay/3")
            let rows: [(Timeouts, Timeouts.Kind)] = [
                (Timeouts(firstByte: 0.3), .firstByte), (Timeouts(idle: 0.3), .idle),
                (Timeouts(request: 0.3), .request),
            ]
            for (timeouts, kind) in rows {
                let error = await session.get(url, timeouts: timeouts).error
                guard case .timedOut(kind, after: 0.3) = error?.transportError?.code else {
                    Issue.record("\(kind): \(String(describing: error))")
                    continue
                }
            }
            #expect(try await session.get(bin.url("/delay/0.2"), timeouts: Timeouts(request: 30)).status == 200)
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `a body that drips on ends by the time-out of the whole`(
            _ version: NginxServer.HTTPVersion
        ) async throws {
            let url = try bin.url("/drip?duration=60&numbytes=600")
            let error = try await bin.session(version).get(url, timeouts: Timeouts(request: 0.5)).error
            guard case .timedOut(.request, after: 0.5) = error?.transportError?.code else {
                Issue.record("\(String(describing: error))")
                return
            }
        }

        @Test(arguments: NginxServer.HTTPVersion.allCases)
        func `slow answers hold up no quick ones`(_ version: NginxServer.HTTPVersion) async throws {
            let session = try bin.session(version)
            let target = "/delay/10?v=\(version)"
            let url = try bin.url(target)
            let slow = (0..<4).map { _ in session.request(url).resume() }
            #expect(try await session.get(bin.url("/uuid")).status == 200)
            #expect(try bin.server.nginx.accessLog().allSatisfy { $0.target != target }, "they had ended")
            for request in slow { request.cancel() }
        }

        @Test func `a download that is cancelled while it drips ends at once`() async throws {
            let session = try bin.session()
            let download = session.download(try bin.url("/drip?duration=60&numbytes=600"))
            let progress = download.downloadProgress()
            download.resume()
            for await state in progress where state.completedUnitCount > 0 { break }
            download.cancel()
            let response = await download.serializingDownloadedFileURL().response
            #expect(response.error?.isExplicitlyCancelledError == true)
        }
    }
}
