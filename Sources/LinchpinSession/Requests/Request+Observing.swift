public import Dispatch
public import FoundationNetworking
internal import Synchronization

extension Request {
    /// Calls back while the request's body goes out; with the latest state only, where that is faster than the queue.
    ///
    /// - Parameters:
    ///   - queue: where the closure runs; the session's own serial queue by default.
    @discardableResult
    public func uploadProgress(
        queue: DispatchQueue? = nil,
        closure: @escaping @Sendable (TransferProgress) -> Void
    ) -> Self {
        uploadReporter.observe(on: queue ?? core.callbackQueue, closure)
        return self
    }

    /// Calls back while the response's body comes; with the latest state only, where that is faster than the queue.
    ///
    /// - Parameters:
    ///   - queue: where the closure runs; the session's own serial queue by default.
    @discardableResult
    public func downloadProgress(
        queue: DispatchQueue? = nil,
        closure: @escaping @Sendable (TransferProgress) -> Void
    ) -> Self {
        downloadReporter.observe(on: queue ?? core.callbackQueue, closure)
        return self
    }

    /// How far the request's body is: the latest state each time, until the request has ended.
    public func uploadProgress() -> AsyncStream<TransferProgress> { uploadReporter.stream() }

    /// How far the response's body is: the latest state each time, until the request has ended.
    public func downloadProgress() -> AsyncStream<TransferProgress> { downloadReporter.stream() }

    /// Calls back with the final response as soon as its head is there, before its body; on each attempt.
    ///
    /// - Parameters:
    ///   - queue: where the closure runs; the session's own serial queue by default.
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue? = nil,
        perform handler: @escaping @Sendable (HTTPURLResponse) -> Void
    ) -> Self {
        let queue = queue ?? core.callbackQueue
        status.withLock { status in
            status.makeExtras().closures.headHandlers.append { head in queue.async { handler(head.response) } }
        }
        return self
    }

    /// Tells those who want to see the head; nil where nobody does. Called for each attempt, whose sink keeps it.
    var headObserver: (@Sendable (ResponseHead) -> Void)? {
        let handlers = status.withLock { $0.extras?.closures.headHandlers } ?? []
        guard !handlers.isEmpty || isMonitored.load(ordering: .acquiring) else { return nil }
        return { head in
            guard !self.isValidation(head) else { return }
            self.notify { $0.tell { $0.request(self, didReceiveResponse: head.response) } }
            for handler in handlers { handler(head) }
        }
    }
}
