internal import Dispatch

/// What is done with a request's outcome, exactly once.
protocol ResponseHandler: AnyObject, Sendable {
    /// Makes the response and delivers it, where the caller's code may run.
    ///
    /// - Parameters:
    ///   - loop: the loop whose thread calls; nil for any other thread.
    func run(_ outcome: ExchangeOutcome, on loop: EventLoop?)

    /// Makes the response, on a queue where the caller's code may run, and waits with its delivery: its error may
    /// lead to another attempt.
    func make(_ outcome: ExchangeOutcome) -> MadeResponse
}

/// A request's handlers in their order. Most requests have one, which takes no array.
struct ResponseHandlers {
    private var first: (any ResponseHandler)?
    private var others: [any ResponseHandler] = []

    mutating func append(_ handler: any ResponseHandler) {
        if first == nil { first = handler } else { others.append(handler) }
    }

    var all: [any ResponseHandler] { (first.map { [$0] } ?? []) + others }

    /// Calls all but the first few.
    func run(_ outcome: ExchangeOutcome, on loop: EventLoop?, after count: Int) {
        if count == 0 { first?.run(outcome, on: loop) }
        for handler in others.dropFirst(max(count - 1, 0)) { handler.run(outcome, on: loop) }
    }
}

/// A response that is made but not delivered.
struct MadeResponse {
    let error: SessionError?
    let deliver: @Sendable () -> Void
}

/// A response, of which the error is known.
protocol FailureCarrying: Sendable {
    var failure: SessionError? { get }

    /// Tells a monitor that it was made.
    func tell(_ monitor: any EventMonitor, of request: Request)
}

/// Serializes and completes on a queue.
final class QueueHandler<Response: FailureCarrying>: ResponseHandler {
    private let queue: DispatchQueue
    private let serialize: @Sendable (ExchangeOutcome) -> Response
    private let completion: @Sendable (Response) -> Void

    init(
        on queue: DispatchQueue,
        _ serialize: @escaping @Sendable (ExchangeOutcome) -> Response,
        _ completion: @escaping @Sendable (Response) -> Void
    ) {
        self.queue = queue
        self.serialize = serialize
        self.completion = completion
    }

    func run(_ outcome: ExchangeOutcome, on loop: EventLoop?) {
        queue.async { [serialize, completion] in completion(serialize(outcome)) }
    }

    func make(_ outcome: ExchangeOutcome) -> MadeResponse {
        let response = serialize(outcome)
        return MadeResponse(error: response.failure) { [queue, completion] in
            queue.async { completion(response) }
        }
    }
}

/// Resumes a task, which serializes itself what is not serialized already.
final class TaskHandler: ResponseHandler {
    /// Resumed once: a request calls each of its handlers once. With the response, where that is made.
    typealias Continuation = UnsafeContinuation<AnyResponse?, Never>

    private let continuation: Continuation
    private let priority = Task.currentPriority
    private let serialize: @Sendable (ExchangeOutcome) -> any FailureCarrying

    /// To be made by the task itself.
    init(_ continuation: Continuation, _ serialize: @escaping @Sendable (ExchangeOutcome) -> any FailureCarrying) {
        self.continuation = continuation
        self.serialize = serialize
    }

    func run(_ outcome: ExchangeOutcome, on loop: EventLoop?) {
        if let loop { loop.resume(continuation, priority) } else { continuation.resume(returning: nil) }
    }

    func make(_ outcome: ExchangeOutcome) -> MadeResponse {
        let response = AnyResponse(serialize(outcome))
        return MadeResponse(error: response.response.failure) { [continuation] in
            continuation.resume(returning: response)
        }
    }
}

/// A response of any kind, handed on by reference.
final class AnyResponse: Sendable {
    let response: any FailureCarrying

    init(_ response: any FailureCarrying) { self.response = response }
}

extension DataResponse: FailureCarrying where Failure == SessionError {
    var failure: SessionError? { error }

    func tell(_ monitor: any EventMonitor, of request: Request) {
        if let request = request as? DataRequest { monitor.request(request, didParseResponse: self) }
    }
}

extension DownloadResponse: FailureCarrying where Failure == SessionError {
    var failure: SessionError? { error }

    func tell(_ monitor: any EventMonitor, of request: Request) {
        if let request = request as? DownloadRequest { monitor.request(request, didParseResponse: self) }
    }
}
