internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession
internal import Synchronization

/// One attempt of a request whose body is read as it comes.
actor StreamCall {
    private enum Body {
        case session(DataStreamRequest, DataChunks.Iterator)
        /// What a stub answers, all of it at once.
        case sample(Data?)
    }

    /// What is told on another queue.
    private final class Head: Sendable {
        let response: Mutex<HTTPURLResponse?> = Mutex(nil)
    }

    private let work: CallWork
    private let prepared: CallWork.Prepared
    private var body = Body.sample(nil)
    private let head = Head()
    private let headQueue = DispatchQueue(label: "linchpin.provider.stream")
    private(set) var response: Response?
    private let ending: StreamEnding
    /// What the plugins make of the attempts that the session adds; nil where it adds none.
    private let attempts: AttemptPreparation?

    init(_ request: URLRequest, _ work: CallWork) throws(ProviderError) {
        self.work = work
        let prepared = try work.prepare(request)
        self.prepared = prepared
        let isOver = StreamFlag()
        guard work.isSent else {
            attempts = nil
            ending = StreamEnding(work, prepared.request, nil, nil, isOver: isOver)
            return
        }
        let attempts = work.attempts(of: request, sent: prepared.request) { !isOver.isRaised }
        let stream = work.session.streamRequest(prepared.request, timeouts: work.timeouts, interceptor: attempts)
        if let credential = prepared.credential { stream.authenticate(with: credential) }
        self.attempts = attempts
        ending = StreamEnding(work, prepared.request, stream, attempts, isOver: isOver)
        stream.onHTTPResponse(on: headQueue) { [head] response in
            head.response.withLock { $0 = response }
        }
        body = .session(stream, stream.streamTask().streamingData().makeAsyncIterator())
        stream.resume()
    }

    /// The next part; nil after the last.
    func next() async throws(ProviderError) -> Data? {
        switch body {
        case .session(let request, var chunks):
            let chunk: Data?
            do throws(SessionError) {
                chunk = try await chunks.next(isolation: self)
            } catch {
                let failure = work.failure(error, response, sent: prepared.request)
                ending.end(.failure(failure))
                throw failure
            }
            if response == nil { await takeHead(of: request) }
            if chunk == nil, let response { ending.end(.success(response)) }
            return chunk
        case .sample(let rest):
            guard response == nil else {
                if rest == nil, let response { ending.end(.success(response)) }
                body = .sample(nil)
                return rest
            }
            return try await takeSample()
        }
    }

    /// What is waited for before another attempt, if a plugin wants one; this one has then ended.
    func replay() -> (@Sendable () async throws -> Void)? {
        guard let response, let wait = work.replay(after: response, to: attempts?.sent ?? prepared.request) else {
            return nil
        }
        ending.end(.success(response))
        return wait
    }

    /// - Throws: ``ProviderError`` for a status that is no success.
    func validate() throws(ProviderError) {
        guard let response, !work.target.validationType.accepts(response.statusCode) else { return }
        let failure = ProviderError.underlying(ProviderError.statusCode(response), response)
        ending.end(.failure(failure))
        throw failure
    }

    /// The head was told before the first part came; its handler has run once this queue has come to us.
    private func takeHead(of request: DataStreamRequest) async {
        await withCheckedContinuation { continuation in headQueue.async { continuation.resume() } }
        guard let head = head.response.withLock({ $0 }) else { return }
        response = Response(statusCode: head.statusCode, data: Data(), request: request.request, response: head)
    }

    private func takeSample() async throws(ProviderError) -> Data? {
        let exchange = work.exchange(for: prepared, of: prepared.request) { true }
        let result = await AnswerPromise<Response>.answer(otherwise: .cancelled) { promise in
            exchange.start { promise.keep($0) }
        }
        exchange.cancel()
        do throws(ProviderError) {
            let whole = try result.get()
            response = Response(
                statusCode: whole.statusCode,
                data: Data(),
                request: whole.request,
                response: whole.response
            )
            return whole.data.isEmpty ? nil : whole.data
        } catch {
            ending.end(.failure(error))
            throw error
        }
    }
}
