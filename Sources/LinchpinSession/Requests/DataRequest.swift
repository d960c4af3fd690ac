public import Dispatch
public import Foundation
internal import FoundationNetworking
internal import Synchronization

/// A request whose response is kept in memory.
///
/// It starts with its first response handler or task, or with ``resume()``. Every handler is called exactly once, whatever
/// happens: response, error, time-out, cancellation, the session's end. Safe to use from any thread.
public final class DataRequest: Sendable {
    /// Where a request stands. The last two are final.
    public enum State: Sendable {
        /// Made, not started.
        case initialized
        /// Started.
        case resumed
        /// Cancelled by the caller.
        case cancelled
        /// Ended with a response or an error.
        case finished
    }

    /// Tells this request from others.
    public let id = UUID()
    private let status: Mutex<Status>
    private let loop: EventLoop
    private let convertible: any URLRequestConvertible
    private let options: RequestOptions

    private struct Status {
        var state = State.initialized
        /// Kept until the request starts, so that it can start.
        var session: Session?
        var outcome: ExchangeOutcome?
        var handlers: [@Sendable (ExchangeOutcome) -> Void] = []
    }

    /// What is done once the outcome is kept. The session, if this was the last to keep it, goes outside the lock.
    private struct Ending {
        let handlers: [@Sendable (ExchangeOutcome) -> Void]
        let wasRunning: Bool
        let session: Session?
    }

    init(convertible: any URLRequestConvertible, options: RequestOptions, session: Session, loop: EventLoop) {
        self.convertible = convertible
        self.options = options
        self.loop = loop
        status = Mutex(Status(session: session))
    }

    /// Where the request stands.
    public var state: State { status.withLock { $0.state } }

    /// Starts the request, once; later calls do nothing.
    @discardableResult
    public func resume() -> DataRequest {
        let session = status.withLock { status -> Session? in
            guard status.state == .initialized else { return nil }
            status.state = .resumed
            defer { status.session = nil }
            return status.session
        }
        guard let session else { return self }
        defer { withExtendedLifetime(session) {} }
        do {
            var request = try convertible.asURLRequest()
            var options = options
            // Foundation's own default says nothing of what the caller wants.
            if request.timeoutInterval != 60, options.timeouts.idle == nil {
                options.timeouts.idle = request.timeoutInterval
            }
            request.timeoutInterval = 60
            options.timeouts = options.timeouts.filled(from: options.sessionTimeouts).filled(from: .defaults)
            try options.timeouts.validate()
            loop.start(request, options: options, owner: self)
        } catch {
            finish(ExchangeOutcome(error: error.asRequestCreationError))
        }
        return self
    }

    /// Ends the request with `.explicitlyCancelled`, unless it has ended already.
    @discardableResult
    public func cancel() -> DataRequest {
        end(as: .cancelled, with: ExchangeOutcome(error: .explicitlyCancelled))
        return self
    }

    /// Keeps the outcome and hands it to every handler; only the first call counts.
    func finish(_ outcome: ExchangeOutcome) { end(as: .finished, with: outcome) }

    private func end(as state: State, with outcome: ExchangeOutcome) {
        let ending = status.withLock { status -> Ending? in
            guard status.outcome == nil else { return nil }
            defer {
                status.outcome = outcome
                status.state = state
                status.handlers = []
                status.session = nil
            }
            return Ending(handlers: status.handlers, wasRunning: status.state == .resumed, session: status.session)
        }
        guard let ending else { return }
        if state == .cancelled, ending.wasRunning { loop.cancel(self) }
        for handler in ending.handlers { handler(outcome) }
    }

    /// Calls `handler` exactly once, at once if the request has ended. It must not run the caller's code itself.
    func whenFinished(_ handler: @escaping @Sendable (ExchangeOutcome) -> Void) {
        let outcome = status.withLock { status in
            if status.outcome == nil { status.handlers.append(handler) }
            return status.outcome
        }
        if let outcome {
            handler(outcome)
        } else if options.startsImmediately {
            resume()
        }
    }
}

extension DataRequest {
    /// Calls back with the response, its body as it came.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; the session's own serial queue by default.
    ///   - completionHandler: called exactly once.
    @discardableResult
    public func response(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (DataResponse<Data?, SessionError>) -> Void
    ) -> DataRequest {
        respond(on: queue, { $0.response { $0 } }, completionHandler)
    }

    /// Calls back with the body; a body of no bytes is no error.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs; the session's own serial queue by default.
    ///   - completionHandler: called exactly once.
    @discardableResult
    public func responseData(
        queue: DispatchQueue? = nil,
        completionHandler: @escaping @Sendable (DataResponse<Data, SessionError>) -> Void
    ) -> DataRequest {
        respond(on: queue, { $0.response { $0 ?? Data() } }, completionHandler)
    }

    /// Calls back with the value that the decoder makes of the body.
    ///
    /// - Parameters:
    ///   - type: what to decode.
    ///   - queue: where the handler runs; the session's own serial queue by default.
    ///   - decoder: makes the value, a `JSONDecoder` by default.
    ///   - completionHandler: called exactly once.
    @discardableResult
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        queue: DispatchQueue? = nil,
        decoder: JSONDecoder = JSONDecoder(),
        completionHandler: @escaping @Sendable (DataResponse<Value, SessionError>) -> Void
    ) -> DataRequest {
        respond(on: queue, { $0.decoded(type, by: decoder) }, completionHandler)
    }

    /// The body, for `await`.
    public func serializingData() -> DataTask<Data> {
        task { $0.response { $0 ?? Data() } }
    }

    /// The value that the decoder makes of the body, for `await`.
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) -> DataTask<Value> {
        task { $0.decoded(type, by: decoder) }
    }

    private func task<Value: Sendable>(
        _ make: @escaping @Sendable (ExchangeOutcome) -> DataResponse<Value, SessionError>
    ) -> DataTask<Value> {
        let session = status.withLock { $0.session }
        if options.startsImmediately { resume() }
        return DataTask(request: self, session: session, make)
    }

    private func respond<Response: Sendable>(
        on queue: DispatchQueue?,
        _ make: @escaping @Sendable (ExchangeOutcome) -> Response,
        _ completionHandler: @escaping @Sendable (Response) -> Void
    ) -> DataRequest {
        let queue = queue ?? options.callbackQueue
        whenFinished { outcome in queue.async { completionHandler(make(outcome)) } }
        return self
    }
}

extension ExchangeOutcome {
    fileprivate func decoded<Value: Decodable>(
        _ type: Value.Type,
        by decoder: JSONDecoder
    ) -> DataResponse<Value, SessionError> {
        response { data throws(SessionError) in
            guard let data, !data.isEmpty else {
                throw .responseSerializationFailed(reason: .inputDataNilOrZeroLength)
            }
            do {
                return try decoder.decode(type, from: data)
            } catch {
                throw .responseSerializationFailed(reason: .decodingFailed(error: error))
            }
        }
    }
}
