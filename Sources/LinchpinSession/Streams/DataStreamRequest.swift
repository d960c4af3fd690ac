public import Dispatch
public import Foundation
public import FoundationNetworking
internal import Synchronization

/// A request whose response is handed on as it comes, and kept nowhere.
///
/// Where nobody reads, or a reader is slower than the server, the transfer pauses: of what was not read at most 256 KiB
/// and what libcurl has at hand are kept. While it pauses no idle time-out passes.
///
/// It is sent over HTTP/1.1, whatever the session speaks: over HTTP/2 other requests would keep going the connection of
/// one that pauses, and libcurl 7.88 then takes what the server sends for it, up to 32 MiB.
public final class DataStreamRequest: Request, @unchecked Sendable {
    /// What a stream gives, one after the other.
    public struct Stream<Success: Sendable, Failure: Error>: Sendable {
        /// What came.
        public let event: Event<Success, Failure>
        /// Ends the request.
        public let token: CancellationToken

        /// Ends the request.
        public func cancel() { token.cancel() }
    }

    /// What came of a stream.
    public enum Event<Success: Sendable, Failure: Error>: Sendable {
        /// A part of the body, or why none could be made of it.
        case stream(Result<Success, Failure>)
        /// The end, once.
        case complete(Completion)
    }

    /// How a stream ended.
    public struct Completion: Sendable {
        /// The last request that was sent, after redirects; nil when none could be made.
        public let request: URLRequest?
        /// The final response's status and fields; nil when none came.
        public let response: HTTPURLResponse?
        /// The final response's fields in their order, repeated ones kept.
        public let headers: HTTPHeaders
        /// Why the body is not whole; nil when it is.
        public let error: SessionError?
    }

    /// Ends a stream's request.
    public struct CancellationToken: Sendable {
        let request: DataStreamRequest

        /// Ends the request.
        public func cancel() { request.cancel() }
    }

    private let chunks: Mutex<ChunkDistributor?> = Mutex(nil)

    /// Who gets the chunks.
    private var distributor: ChunkDistributor {
        chunks.withLock { chunks in
            if let chunks { return chunks }
            let distributor = ChunkDistributor { [weak self] in self?.wakeLoop() }
            chunks = distributor
            return distributor
        }
    }

    override func makeSink() throws(SessionError) -> any BodySink {
        ChunkSink(distributor, onHead: headObserver)
    }

    override func makeBody(of request: URLRequest) throws -> RequestBody {
        try options.bodyFile.map { .file($0) } ?? super.makeBody(of: request)
    }

    override var allowsRetry: Bool { !distributor.hasHandedOn }

    /// A reader of what comes from now on; the request starts, unless the session says otherwise.
    func addReader() -> ChunkBuffer {
        let buffer = ChunkBuffer()
        distributor.add(buffer)
        whenFinished(ReaderHandler(buffer))
        return buffer
    }

    /// The reader has read.
    func drained() { distributor.drained() }

    /// The reader wants no more.
    func remove(_ buffer: ChunkBuffer) {
        distributor.remove(buffer)
        distributor.drained()
    }
}

extension DataStreamRequest {
    /// Calls back with each part of the body as it comes, and then with the end.
    ///
    /// - Parameters:
    ///   - queue: where the closure runs; the session's own serial queue by default. The server is read as fast as the
    ///     closure returns. The queue must be serial.
    @discardableResult
    public func responseStream(
        on queue: DispatchQueue? = nil,
        stream: @escaping @Sendable (Stream<Data, Never>) -> Void
    ) -> Self {
        let token = CancellationToken(request: self)
        deliver(addReader(), on: queue ?? core.callbackQueue) { item in
            switch item {
            case .chunk(let data): stream(Stream(event: .stream(.success(data)), token: token))
            case .end(let outcome): stream(Stream(event: .complete(Completion(outcome)), token: token))
            }
        }
        return self
    }

    private func deliver(
        _ buffer: ChunkBuffer,
        on queue: DispatchQueue,
        _ closure: @escaping @Sendable (ChunkBuffer.Item) -> Void
    ) {
        buffer.whenReadable {
            queue.async { [self] in
                while let item = buffer.take() {
                    closure(item)
                    drained()
                }
                if !buffer.hasEnded { deliver(buffer, on: queue, closure) }
            }
        }
    }

    /// The parts of the body, for `for try await`.
    public func streamTask() -> DataStreamTask { DataStreamTask(request: self) }
}

extension DataStreamRequest.Completion {
    init(_ outcome: ExchangeOutcome) {
        request = outcome.request
        response = outcome.response
        headers = outcome.headers
        error = outcome.error
    }
}
