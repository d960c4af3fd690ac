import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Synchronization
import Testing

@testable import LinchpinSession

@Suite struct UploadTests {
    @Test func `a pipe in the place of a file is refused, and nobody waits for its writer`() async throws {
        let directory = try TemporaryDirectory()
        let pipe = URL(filePath: directory.path(of: "pipe"))
        #expect(mkfifo(pipe.path, 0o600) == 0)
        // Not on one of Swift's threads, which this would hold up if it went wrong.
        let isRefused = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let source = Result { try FileSource(pipe) }
                continuation.resume(returning: (try? source.get()) == nil)
            }
        }
        #expect(isRefused)
    }

    @Test(arguments: [0, 1, 65_536, 3_000_001])
    func `a file arrives byte for byte, with its length`(_ size: Int) async throws {
        let server = try LocalTLSServer.plain { .init(body: $0.body) }
        let directory = try TemporaryDirectory()
        let file = URL(filePath: directory.path(of: "body"))
        let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try body.write(to: file)
        let response = await Session().upload(file, to: server.url).serializingData(emptyResponseCodes: [200]).response
        #expect(response.value == body)
        #expect(server.log.requests.first?.method == "POST")
        #expect(server.log.requests.first?.header("Content-Length") == "\(size)")
    }

    @Test(arguments: [1, 65_536, 3_000_001])
    func `a stream arrives byte for byte, in chunks`(_ size: Int) async throws {
        let server = try LocalTLSServer.plain { .init(body: $0.body) }
        let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let response = await Session().upload(InputStream(data: body), to: server.url).serializingData().response
        #expect(response.value == body)
        #expect(server.log.requests.first?.header("Transfer-Encoding") == "chunked")
        #expect(server.log.requests.first?.header("Content-Length") == nil)
    }

    @Test func `a request's own body stream is sent`() async throws {
        let server = try LocalTLSServer.plain { .init(body: $0.body) }
        var request = URLRequest(url: server.url)
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: Data("streamed".utf8))
        #expect(await Session().request(request).serializingData().response.text == "streamed")
    }

    @Test func `a stream that waits for its bytes holds up no other request`() async throws {
        let server = try LocalTLSServer.plain { .init(body: $0.body) }
        let session = Session()
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        let stream = try #require(InputStream(fileAtPath: "/proc/self/fd/\(descriptor)"))
        let upload = session.upload(stream, to: server.url).serializingData()
        for _ in 0..<3 { #expect(await session.request(server.url).serializingData().response.status == 200) }
        try pipe.fileHandleForWriting.write(contentsOf: Data("late".utf8))
        try pipe.fileHandleForWriting.close()
        #expect(await upload.response.text == "late")
    }

    @Test(arguments: ["missing", ""])
    func `a file that is none is an error before anything is sent`(_ name: String) async throws {
        let server = try LocalTLSServer.plain()
        let directory = try TemporaryDirectory()
        let file = URL(filePath: directory.path(of: name))
        let error = await Session().upload(file, to: server.url).serializingData().response.error
        guard case .createUploadableFailed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.log.connections == 0)
    }

    @Test func `a body on GET is refused, whatever its kind`() async throws {
        let server = try LocalTLSServer.plain()
        let error = await Session().upload(Data("x".utf8), to: server.url, method: .get).serializingData().response
            .error
        guard case .urlRequestValidationFailed(.bodyDataInGETRequest) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.log.connections == 0)
    }

    @Test(arguments: [307, 308])
    func `a file is sent again after a redirect that keeps the method`(_ status: Int) async throws {
        let server = try LocalTLSServer.plain {
            $0.path == "/" ? .redirect(to: "/next", status: status) : .init(body: $0.body)
        }
        let directory = try TemporaryDirectory()
        let file = URL(filePath: directory.path(of: "body"))
        try Data("again".utf8).write(to: file)
        #expect(await Session().upload(file, to: server.url).serializingData().response.text == "again")
    }

    @Test func `a stream cannot be sent again after a redirect, and nothing is pretended`() async throws {
        let server = try LocalTLSServer.plain {
            $0.path == "/" ? .redirect(to: "/next", status: 307) : .init(body: $0.body)
        }
        let stream = InputStream(data: Data("once".utf8))
        let response = await Session().upload(stream, to: server.url).serializingData().response
        #expect(response.error?.transportError?.code == .bodyUnreadable)
        #expect(server.log.requests.count == 1)
    }

    @Test func `a redirect to GET takes no body along`() async throws {
        let server = try LocalTLSServer.plain {
            $0.path == "/" ? .redirect(to: "/next", status: 303) : .init(body: $0.body)
        }
        let stream = InputStream(data: Data("once".utf8))
        let upload = Session().upload(stream, to: server.url)
        #expect(await upload.serializingData(emptyResponseCodes: [200]).response.text == "")
        #expect(server.log.requests.last?.method == "GET")
    }

    @Test func `upload progress ends with the whole body`() async throws {
        let server = try LocalTLSServer.plain()
        let session = Session()
        let seen = Mutex<[TransferProgress]>([])
        let upload = session.upload(Data(repeating: 1, count: 2_000_000), to: server.url)
            .uploadProgress { progress in seen.withLock { $0.append(progress) } }
        let states = upload.uploadProgress()
        let response = await withCheckedContinuation { continuation in
            upload.response { continuation.resume(returning: $0) }
        }
        #expect(response.response?.statusCode == 200)
        let progress = seen.withLock { $0 }
        #expect(progress.last == TransferProgress(completedUnitCount: 2_000_000, totalUnitCount: 2_000_000))
        #expect(progress.last?.fractionCompleted == 1)
        #expect(progress.map(\.completedUnitCount) == progress.map(\.completedUnitCount).sorted())
        var last: TransferProgress?
        for await state in states { last = state }
        #expect(last?.completedUnitCount == 2_000_000)
    }
}
