internal import Dispatch

/// What is done with a request's outcome, exactly once.
struct ResponseHandler: Sendable {
    /// A response that is made but not delivered.
    struct Made {
        let error: SessionError?
        let deliver: @Sendable () -> Void
    }

    /// Makes the response and delivers it, where the caller's code may run.
    let run: @Sendable (ExchangeOutcome) -> Void
    /// Makes the response, on a queue where the caller's code may run, and waits with its delivery: its error may
    /// lead to another attempt.
    let make: @Sendable (ExchangeOutcome) -> Made
}

/// A response, of which the error is known.
protocol FailureCarrying: Sendable {
    var failure: SessionError? { get }

    /// Tells a monitor that it was made.
    func tell(_ monitor: any EventMonitor, of request: Request)
}

extension ResponseHandler {
    /// Serializes and completes on a queue.
    init<Response: FailureCarrying>(
        on queue: DispatchQueue,
        _ serialize: @escaping @Sendable (ExchangeOutcome) -> Response,
        _ completion: @escaping @Sendable (Response) -> Void
    ) {
        run = { outcome in queue.async { completion(serialize(outcome)) } }
        make = { outcome in
            let response = serialize(outcome)
            return Made(error: response.failure) { queue.async { completion(response) } }
        }
    }

    /// Resumes a task, which serializes itself where it can.
    init(
        resuming continuation: CheckedContinuation<TaskOutcome, Never>,
        _ serialize: @escaping @Sendable (ExchangeOutcome) -> any FailureCarrying
    ) {
        run = { continuation.resume(returning: .outcome($0)) }
        make = { outcome in
            let response = serialize(outcome)
            return Made(error: response.failure) { continuation.resume(returning: .made(response, outcome)) }
        }
    }
}

/// What a task that waits for a response gets.
enum TaskOutcome: Sendable {
    case outcome(ExchangeOutcome)
    /// What the task's own closure has made of the outcome already.
    case made(any FailureCarrying, ExchangeOutcome)
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
