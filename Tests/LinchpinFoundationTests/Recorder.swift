import Foundation
import FoundationNetworking
import Synchronization

/// A delegate that notes what it is told.
final class Recorder: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    struct Record {
        var responses: [HTTPURLResponse] = []
        var chunks: [Data] = []
        var redirects: [(response: HTTPURLResponse, next: URLRequest)] = []
        var sentBytes: [Int64] = []
        var expectedToSend: Int64?
        var writtenBytes: [Int64] = []
        var expectedToWrite: Int64?
        var file: Data?
        var bodyStreams = 0
        var challenges = 0
        var ends: [URLError?] = []
        var longestQueue = 0

        var body: Data { Data(chunks.joined()) }
        var text: String { String(decoding: body, as: UTF8.self) }
        var status: Int? { responses.last?.statusCode }
    }

    typealias RedirectDecision = @Sendable (HTTPURLResponse, URLRequest) -> URLRequest?

    private let record = Mutex(Record())
    private let (ended, end) = AsyncStream.makeStream(of: Void.self)
    private let onRedirect: RedirectDecision
    private let makeStream: @Sendable () -> InputStream?
    private let onData: @Sendable (URLSessionTask) -> Void

    init(
        onRedirect: @escaping RedirectDecision = { $1 },
        makeStream: @escaping @Sendable () -> InputStream? = { nil },
        onData: @escaping @Sendable (URLSessionTask) -> Void = { _ in }
    ) {
        self.onRedirect = onRedirect
        self.makeStream = makeStream
        self.onData = onData
    }

    var noted: Record { record.withLock { $0 } }

    /// What was noted of a task from its start to its end.
    func run(_ task: URLSessionTask) async -> Record {
        task.resume()
        for await _ in ended { break }
        return noted
    }

    private func note(_ change: (inout Record) -> Void) { record.withLock { change(&$0) } }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note { record in (response as? HTTPURLResponse).map { record.responses.append($0) } }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note { record in
            record.chunks.append(data)
            record.longestQueue = max(record.longestQueue, session.delegateQueue.operationCount)
        }
        onData(dataTask)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note { $0.redirects.append((response, request)) }
        completionHandler(onRedirect(response, request))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        note { $0.bodyStreams += 1 }
        completionHandler(makeStream())
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        note { $0.challenges += 1 }
        completionHandler(.useCredential, URLCredential(user: "user", password: "secret", persistence: .none))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note { record in
            record.sentBytes.append(totalBytesSent)
            record.expectedToSend = totalBytesExpectedToSend
        }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        note { record in
            record.writtenBytes.append(totalBytesWritten)
            record.expectedToWrite = totalBytesExpectedToWrite
        }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        let data = try? Data(contentsOf: location)
        try? FileManager.default.removeItem(at: location)
        note { $0.file = data }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note { $0.ends.append(error as? URLError) }
        end.yield()
    }
}
