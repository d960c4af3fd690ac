import Foundation
import FoundationNetworking
import LinchpinTestSupport
import LinchpinTesting
import Testing

@testable import LinchpinFoundation

@Suite struct TransferTests {
    static let body = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private func echo(_ world: World) throws -> LocalTLSServer {
        try world.server { .init(body: $0.body, framing: .chunked(size: 10_000)) }
    }

    @Test func `a delegate gets the response and then the body as it comes`() async throws {
        let world = try World()
        let server = try world.server { _ in .init(headers: [.init("X-A", "b")], body: Self.body) }
        let recorder = Recorder()
        let task = try world.client(delegate: recorder).dataTask(with: server.url)
        let record = await recorder.run(task)
        #expect(record.body == Self.body)
        #expect(record.chunks.count > 1)
        #expect(record.responses.count == 1)
        #expect(record.responses.first?.value(forHTTPHeaderField: "X-A") == "b")
        #expect(record.ends == [nil])
        #expect(task.response as? HTTPURLResponse == record.responses.first)
        #expect(task.progress.fractionCompleted == 1)
    }

    @Test func `a slow delegate is given no more than it has room for`() async throws {
        let world = try World()
        let server = try world.server { _ in .init(body: Self.body) }
        let recorder = Recorder(onData: { _ in Thread.sleep(forTimeInterval: 0.005) })
        let record = await recorder.run(try world.client(delegate: recorder).dataTask(with: server.url))
        #expect(record.body == Self.body)
        #expect(record.longestQueue <= 5)
    }

    @Test func `a completion handler gets the whole of a body that comes in pieces`() async throws {
        let world = try World()
        let server = try world.server { _ in .init(body: Self.body, framing: .chunked(size: 1_000)) }
        let client = try world.client()
        #expect(try await client.data(from: server.url).0 == Self.body)
        let data: Data? = await withCheckedContinuation { continuation in
            client.dataTask(with: server.url) { data, _, _ in continuation.resume(returning: data) }.resume()
        }
        #expect(data == Self.body)
    }

    @Test func `an empty body is empty`() async throws {
        let world = try World()
        let server = try world.server { _ in .init(status: 204) }
        let (data, response) = try await world.client().data(from: server.url)
        #expect(data.isEmpty)
        #expect((response as? HTTPURLResponse)?.statusCode == 204)
    }

    @Test func `fields of the configuration are sent unless the request has them`() async throws {
        let world = try World()
        let server = try world.server()
        let client = try world.client { $0.httpAdditionalHeaders = ["X-One": "configured", "X-Two": "configured"] }
        _ = try await client.data(for: URLRequest(server.url) { $0.setValue("own", forHTTPHeaderField: "x-two") })
        let request = try #require(server.log.requests.first)
        #expect(request.headers("X-One") == ["configured"])
        #expect(request.headers("X-Two") == ["own"])
    }

    @Test func `a request's own body goes out`() async throws {
        let world = try World()
        let server = try echo(world)
        let client = try world.client()
        let data = try await client.data(for: URLRequest(server.url, method: "POST") { $0.httpBody = Self.body }).0
        #expect(data == Self.body)
        let stream = URLRequest(server.url, method: "POST") { $0.httpBodyStream = InputStream(data: Self.body) }
        #expect(try await client.data(for: stream).0 == Self.body)
        let (plain, streamed) = (server.log.requests[0], server.log.requests[1])
        #expect(plain.header("Content-Type") == "application/x-www-form-urlencoded")
        #expect(plain.header("Content-Length") == "\(Self.body.count)")
        #expect(streamed.header("Transfer-Encoding") == "chunked")
    }

    @Test func `data and files are uploaded with their length`() async throws {
        let directory = try TemporaryDirectory()
        let world = try World()
        let server = try echo(world)
        let file = URL(fileURLWithPath: try directory.write(Self.body, to: "body"))
        let recorder = Recorder()
        let client = try world.client(delegate: recorder)
        let request = URLRequest(server.url, method: "PUT") { $0.setValue("a/b", forHTTPHeaderField: "Content-Type") }
        #expect(try await client.upload(for: request, from: Self.body).0 == Self.body)
        #expect(try await client.upload(for: request, fromFile: file).0 == Self.body)
        let record = await recorder.run(client.uploadTask(with: request, fromFile: file))
        #expect(record.body == Self.body)
        #expect(record.sentBytes.last == Int64(Self.body.count))
        #expect(record.expectedToSend == Int64(Self.body.count))
        for request in server.log.requests {
            #expect(request.header("Content-Length") == "\(Self.body.count)")
            #expect(request.header("Content-Type") == "a/b")
        }
    }

    @Test func `a file that is not there is not uploaded`() async throws {
        let world = try World()
        let server = try echo(world)
        let client = try world.client()
        let error = await #expect(throws: URLError.self) {
            try await client.upload(
                for: URLRequest(server.url, method: "POST"),
                fromFile: URL(fileURLWithPath: "/no/such/file")
            )
        }
        #expect(error?.code == .fileDoesNotExist)
        #expect(server.log.connections == 0)
    }

    @Test func `a streamed upload asks the delegate for its body`() async throws {
        let world = try World()
        let server = try echo(world)
        let recorder = Recorder(makeStream: { InputStream(data: Self.body) })
        let request = URLRequest(server.url, method: "POST")
        let client = try world.client(delegate: recorder)
        let record = await recorder.run(client.uploadTask(withStreamedRequest: request))
        #expect(record.ends == [nil])
        #expect(record.bodyStreams == 1)
        #expect(record.body == Self.body)
        #expect(record.expectedToSend == NSURLSessionTransferSizeUnknown)
        let silent = Recorder()
        let second = try world.client(delegate: silent)
        let failed = await silent.run(second.uploadTask(withStreamedRequest: request))
        #expect(failed.ends.first??.code == .requestBodyStreamExhausted)
        #expect(server.log.requestCount == 1)
    }

    @Test func `a download becomes a file, and its delegate is told how far it is`() async throws {
        let world = try World()
        let server = try world.server { _ in .init(body: Self.body) }
        let recorder = Recorder()
        let client = try world.client(delegate: recorder)
        let record = await recorder.run(client.downloadTask(with: server.url))
        #expect(record.ends == [nil])
        #expect(record.file == Self.body)
        #expect(record.writtenBytes.last == Int64(Self.body.count))
        #expect(record.writtenBytes == record.writtenBytes.sorted())
        let (file, response) = try await client.download(from: server.url)
        #expect(try Data(contentsOf: file) == Self.body)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(mode == 0o600)
        try FileManager.default.removeItem(at: file)
    }

    @Test func `a body that is encoded arrives decoded, and announces no length`() async throws {
        let world = try World()
        // "hello" by gzip.
        let hello = "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA=="
        let body = try #require(Data(base64Encoded: hello))
        let server = try world.server { _ in .init(headers: [.init("Content-Encoding", "gzip")], body: body) }
        let recorder = Recorder()
        let client = try world.client(delegate: recorder)
        #expect(try await client.text(server.url) == "hello")
        let record = await recorder.run(client.downloadTask(with: server.url))
        #expect(record.file == Data("hello".utf8))
        #expect(record.expectedToWrite == NSURLSessionTransferSizeUnknown)
    }

    @Test func `a download that breaks off gives no file`() async throws {
        let world = try World()
        let server = try world.server { _ in .init(body: Self.body, fault: .closeAfter(bytes: 500_000)) }
        let recorder = Recorder()
        let client = try world.client(delegate: recorder)
        let task = client.downloadTask(with: server.url)
        let record = await recorder.run(task)
        #expect(record.ends.first??.code == .networkConnectionLost)
        #expect(record.file == nil)
    }

    @Test func `a task that is suspended goes on where it was`() async throws {
        let world = try World()
        let server = try world.server { _ in
            .init(body: Self.body, framing: .chunked(size: 50_000), fault: .trickle(bytesPerChunk: 50_000, every: 0.01))
        }
        let recorder = Recorder(onData: { task in
            task.suspend()
            task.resume()
        })
        let client = try world.client(delegate: recorder)
        let record = await recorder.run(client.dataTask(with: server.url))
        #expect(record.body == Self.body)
        #expect(record.ends == [nil])
        #expect(server.log.requestCount == 1)
    }

    @Test func `a task that stays suspended reads nothing and does not time out`() async throws {
        let world = try World()
        let server = try world.server { _ in .init(body: Self.body) }
        let (suspensions, suspended) = AsyncStream.makeStream(of: URLSessionTask.self)
        let recorder = Recorder(onData: { task in
            task.suspend()
            suspended.yield(task)
        })
        let client = try world.client(delegate: recorder) { $0.timeoutIntervalForRequest = 1 }
        let task = client.dataTask(with: server.url)
        let end = Task {
            defer { suspended.finish() }
            return await recorder.run(task)
        }
        for await task in suspensions {
            #expect(recorder.noted.ends.isEmpty)
            try await Task.sleep(for: .seconds(1.5))
            #expect(recorder.noted.ends.isEmpty, "the task ended while it was suspended")
            task.resume()
            break
        }
        // From here on the delegate's suspensions are undone as they come.
        let resumer = Task { for await task in suspensions { task.resume() } }
        #expect(await end.value.body == Self.body)
        resumer.cancel()
    }
}
