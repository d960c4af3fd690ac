public import Dispatch
public import Foundation
internal import FoundationNetworking
internal import Synchronization

/// A request whose response is kept in memory.
///
/// It starts with its first response handler, or with ``resume()``. Every handler is called exactly once, whatever
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
        var outcome: ExchangeOutcome?
        var handlers: [@Sendable (ExchangeOutcome) -> Void] = []
    }

    init(convertible: any URLRequestConvertible, options: RequestOptions, loop: EventLoop) {
        self.convertible = convertible
        self.options = options
        self.loop = loop
        status = Mutex(Status())
    }

    /// Where the request stands.
    public var state: State { status.withLock { $0.state } }

    /// Starts the request, once; later calls do nothing.
    @discardableResult
    public func resume() -> DataRequest {
        let starts = status.withLock { status in
            guard status.state == .initialized else { return false }
            status.state = .resumed
            return true
        }
        guard starts else { return self }
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
        let cancels = status.withLock { status in
            switch status.state {
            case .initialized, .resumed:
                let wasResumed = status.state == .resumed
                status.state = .cancelled
                return (true, wasResumed)
            case .cancelled, .finished: return (false, false)
            }
        }
        guard cancels.0 else { return self }
        if cancels.1 { loop.cancel(self) }
        finish(ExchangeOutcome(error: .explicitlyCancelled))
        return self
    }

    /// Keeps the outcome and hands it to every handler; only the first call counts.
    func finish(_ outcome: ExchangeOutcome) {
        let handlers: [@Sendable (ExchangeOutcome) -> Void] = status.withLock { status in
            guard status.outcome == nil else { return [] }
            status.outcome = outcome
            if status.state != .cancelled { status.state = .finished }
            defer { status.handlers = [] }
            return status.handlers
        }
        for handler in handlers { handler(outcome) }
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
        DataTask(request: self) { $0.response { $0 ?? Data() } }
    }

    /// The value that the decoder makes of the body, for `await`.
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) -> DataTask<Value> {
        DataTask(request: self) { $0.decoded(type, by: decoder) }
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
