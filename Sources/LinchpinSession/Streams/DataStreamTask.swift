public import Foundation
internal import Synchronization

/// A body that is read as it comes. It keeps the session.
public struct DataStreamTask: Sendable {
    private let request: DataStreamRequest
    private let session: Session?

    init(request: DataStreamRequest) {
        self.request = request
        session = request.session
    }

    /// The parts of the body in their order, as they come; ends with the body, or throws the ``SessionError``.
    ///
    /// A part that is not asked for is not read from the server. Cancelling the task that reads, or letting go of the
    /// iterator, cancels the request. Each iterator gets what comes after it was made.
    public func streamingData() -> DataChunks { DataChunks(request: request, session: session) }

    /// Cancels the request.
    public func cancel() { request.cancel() }
}

/// The parts of a body, as they come.
public struct DataChunks: AsyncSequence, Sendable {
    /// A part of the body.
    public typealias Element = Data
    /// Why the body is not whole.
    public typealias Failure = SessionError

    let request: DataStreamRequest
    let session: Session?

    /// A reader of what comes from now on; the request starts, unless the session says otherwise.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: Reader(request: request, session: session)) }

    /// Reads a body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        /// The next part; nil after the last.
        public mutating func next() async throws(SessionError) -> Data? { try await reader.next() }

        /// The next part; nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SessionError) -> Data? {
            try await reader.next()
        }
    }

    /// An iterator's end of the stream; when it goes, the request ends.
    fileprivate final class Reader: Sendable {
        private let request: DataStreamRequest
        private let session: Session?
        private let buffer: ChunkBuffer

        init(request: DataStreamRequest, session: Session?) {
            self.request = request
            self.session = session
            buffer = request.addReader()
        }

        deinit {
            request.remove(buffer)
            request.cancel()
        }

        func next() async throws(SessionError) -> Data? {
            while !buffer.hasEnded {
                switch buffer.take() {
                case .chunk(let data):
                    request.drained()
                    return data
                case .end(let outcome):
                    if let error = outcome.error { throw error }
                    return nil
                case nil: await readable()
                }
            }
            return nil
        }

        private func readable() async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in buffer.whenReadable { continuation.resume() } }
            } onCancel: {
                request.cancel()
            }
        }
    }
}
