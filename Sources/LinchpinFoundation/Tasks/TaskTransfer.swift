internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// Carries one task over a Linchpin session; on the task's work queue only, except where a member says otherwise.
final class TaskTransfer {
    let task: URLSessionTask
    let parts: TaskParts
    let cookies: TaskCookies
    private let session: Session
    /// Where a download goes.
    private let file: DownloadedFile?
    /// Through whom Foundation is told; nil once it was told the end.
    private var urlProtocol: LinchpinURLProtocol?
    private var request: DataStreamRequest?
    private var isSuspended = false
    private var hasResponse = false
    private var progress: TaskProgress

    /// - Throws: what the task fails with, at once.
    init(_ urlProtocol: LinchpinURLProtocol) throws(URLError) {
        let url = urlProtocol.request.url
        guard let task = urlProtocol.task, ["http", "https"].contains(url?.scheme?.lowercased()),
            !(task is URLSessionWebSocketTask)
        else { throw URLError(.unsupportedURL, url: url, "only tasks of http and https are carried") }
        guard let parts = TaskParts(task) else {
            throw URLError(.unknown, url: url, "this version of Foundation is not known; nothing was sent")
        }
        guard let session = parts.session.configuration.linchpinSession else {
            throw URLError(.resourceUnavailable, url: url, "the configuration names no Linchpin session; call use(_:)")
        }
        (self.task, self.parts, self.session, self.urlProtocol) = (task, parts, session, urlProtocol)
        cookies = TaskCookies(parts.session.configuration, for: urlProtocol.request)
        progress = TaskProgress(task, parts)
        file = parts.delivery == .file ? try urlProtocol.makeTemporaryFile() : nil
    }

    /// Foundation wants the task to begin.
    func start() {
        guard case .fromDelegate = parts.body else { return begin(parts.body) }
        guard let delegate = parts.delegate else { return begin(nil) }
        parts.session.delegateQueue.addOperation { [self] in
            delegate.urlSession(parts.session, task: task) { (stream: InputStream?) in
                let body = stream.map { TaskParts.Body.stream(BodyStream(stream: $0)) }
                self.parts.workQueue.async { self.begin(body) }
            }
        }
    }

    /// Foundation wants the task to wait.
    func suspend() {
        isSuspended = true
        request?.suspend()
    }

    /// Foundation wants the task to go on.
    func resume() {
        isSuspended = false
        request?.resume()
    }

    /// Foundation wants the task to end, and tells its owner so itself.
    func stop() {
        guard urlProtocol != nil else { return }
        urlProtocol = nil
        file?.discard()
        request?.cancel()
    }

    /// - Parameters:
    ///   - body: what is sent; nil where the delegate, which was asked for it, gave none.
    private func begin(_ body: TaskParts.Body?) {
        guard request == nil, let speaker else { return }
        let original = speaker.request
        guard let body else {
            return fail(URLError(.requestBodyStreamExhausted, url: original.url, "the delegate gave no body stream"))
        }
        do throws(URLError) {
            let configuration = parts.session.configuration
            begin(try TaskRequest(original, body: body, cookies: cookies, configuration: configuration))
        } catch {
            fail(error)
        }
    }

    private func begin(_ work: TaskRequest) {
        let queue = parts.workQueue
        let request = session.carry(work.request, file: work.file, timeouts: work.timeouts) {
            _,
            response,
            next,
            decide in
            queue.async { self.redirect(response, next, decide) }
        }
        request.onHTTPResponse(on: queue) { self.receive($0) }
        request.uploadProgress(queue: queue) { [weak self] progress in self?.sent(progress) }
        self.request = request
        // Before the request starts: what comes before there is a reader may be nobody's.
        let chunks = request.streamTask().streamingData().makeAsyncIterator()
        Task { await self.read(chunks) }
        if isSuspended { request.suspend() } else { request.resume() }
    }

    /// Through whom Foundation is told. Nil once it was told the end, and where it says the end itself: it has asked
    /// for, or will ask for, ``stop()``.
    var speaker: LinchpinURLProtocol? {
        switch task.state {
        case .running, .suspended: urlProtocol
        default: nil
        }
    }
}

// Sendable: what changes is touched on the task's work queue only, and Foundation's parts are Sendable.
extension TaskTransfer: @unchecked Sendable {}

// MARK: - What comes

extension TaskTransfer {
    private func receive(_ response: HTTPURLResponse) {
        guard let speaker else { return }
        guard let shown = response.withoutChallenge else {
            return fail(URLError(.badServerResponse, url: speaker.request.url, "the response cannot be shown"))
        }
        hasResponse = true
        cookies.store(from: response)
        // What is announced is the length before the content coding is undone.
        let isEncoded = response.value(forHTTPHeaderField: "Content-Encoding") != nil
        progress.expect(isEncoded ? NSURLSessionTransferSizeUnknown : response.expectedContentLength)
        speaker.client?.urlProtocol(speaker, didReceive: shown, cacheStoragePolicy: .notAllowed)
    }

    private func sent(_ upload: TransferProgress) {
        guard speaker != nil else { return }
        progress.sent(upload)
    }

    /// Reads the body to its end, as fast as the task's owner takes it; on no queue.
    private func read(_ chunks: DataChunks.Iterator) async {
        var (chunks, collected) = (chunks, Data())
        do {
            while let chunk = try await chunks.next() {
                if parts.delivery == .collected { collected.append(chunk) }
                try file?.write(chunk)
                await load(chunk)
            }
        } catch {
            return await onWorkQueue { self.fail(URLError(error, url: self.urlProtocol?.request.url)) }
        }
        let body = collected
        await onWorkQueue { self.finish(body) }
    }

    private func load(_ chunk: Data) async {
        let hasReader = await onWorkQueue {
            guard let speaker = self.speaker else { return false }
            if self.parts.delivery == .streamed { speaker.client?.urlProtocol(speaker, didLoad: chunk) }
            self.progress.received(Int64(chunk.count))
            return self.parts.delivery != .collected
        }
        guard hasReader, parts.delegate != nil else { return }
        // The delegate's queue has room for more when it has come to the end of this.
        await withCheckedContinuation { continuation in
            parts.session.delegateQueue.addOperation { continuation.resume() }
        }
    }

    private func finish(_ body: Data) {
        guard let speaker else { return }
        guard hasResponse else {
            return fail(URLError(.badServerResponse, url: speaker.request.url, "there was no response"))
        }
        urlProtocol = nil
        progress.end()
        if !body.isEmpty { speaker.client?.urlProtocol(speaker, didLoad: body) }
        speaker.client?.urlProtocolDidFinishLoading(speaker)
    }

    func fail(_ error: URLError) {
        guard let speaker else { return }
        urlProtocol = nil
        file?.discard()
        request?.cancel()
        speaker.client?.urlProtocol(speaker, didFailWithError: error)
    }

    private func onWorkQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            parts.workQueue.async { continuation.resume(returning: work()) }
        }
    }
}

extension LinchpinURLProtocol {
    /// The file that a download goes to, of which Foundation knows.
    fileprivate func makeTemporaryFile() throws(URLError) -> DownloadedFile {
        do {
            let file = try DownloadedFile()
            if setTemporaryFile(file.url) { return file }
            file.discard()
        } catch {
            throw URLError(error, url: request.url)
        }
        throw URLError(
            .cannotWriteToFile,
            url: request.url,
            "this version of Foundation takes no downloads from others; nothing was sent"
        )
    }
}

extension HTTPURLResponse {
    /// The response as Foundation may see it: to a challenge it would answer by itself, over its own transport.
    fileprivate var withoutChallenge: HTTPURLResponse? {
        guard statusCode == 401 else { return self }
        guard let url else { return nil }
        var fields: [String: String] = [:]
        for case (let name as String, let value as String) in allHeaderFields
        where name.lowercased() != "www-authenticate" {
            fields[name] = value
        }
        return HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: nil, headerFields: fields)
    }
}
