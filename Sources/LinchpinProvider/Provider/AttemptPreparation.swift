internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession
internal import Synchronization

/// Lets the plugins see each further attempt of a request that the session sends again: the end of the one before, and
/// the next as they make it now, with a new signature say.
final class AttemptPreparation: RequestInterceptor {
    private struct State {
        /// What the last attempt sent.
        var sent: URLRequest
        /// Whether the plugins have seen it being sent.
        var isSeen = true
        /// How it failed, if another one may follow.
        var failure: CallWork.Outcome?
    }

    private let mapped: URLRequest
    private let work: CallWork
    private let isWanted: @Sendable () -> Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - mapped: the request before the plugins.
    ///   - sent: the first attempt, which the plugins have seen.
    ///   - isWanted: whether the request has not ended.
    init(
        of mapped: URLRequest,
        sent: URLRequest,
        work: CallWork,
        isWanted: @escaping @Sendable () -> Bool
    ) {
        self.mapped = mapped
        self.work = work
        self.isWanted = isWanted
        state = Mutex(State(sent: sent))
    }

    /// What the last attempt sent, as the plugins made it.
    var sent: URLRequest { state.withLock { $0.sent } }

    /// Whether the plugins have seen the last attempt being sent, and so are to see its end.
    var isSeen: Bool { state.withLock { $0.isSeen } }

    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        let (failure, isSeen) = state.withLock { state in
            defer { state.failure = nil }
            return (state.failure, state.isSeen)
        }
        guard let failure else { return completion(.success(urlRequest)) }
        work.queue.async { [self] in
            guard isWanted() else { return completion(.failure(SessionError.explicitlyCancelled)) }
            if isSeen { work.tellPlugins(ofFailedAttempt: failure) }
            completion(Result { try next(urlRequest) })
        }
    }

    /// Remembers the failure, and leaves the decision to the session's own.
    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        let outcome = work.outcome(of: request, error)
        state.withLock { $0.failure = outcome }
        completion(.doNotRetry)
    }

    private func next(_ urlRequest: URLRequest) throws -> URLRequest {
        state.withLock { $0.isSeen = false }
        var next = try work.prepare(mapped).request
        state.withLock { state in
            state.sent = next
            state.isSeen = true
        }
        if work.endpoint.task.form != nil {
            // The boundary is the form's.
            next.setValue(urlRequest.value(forHTTPHeaderField: "Content-Type"), forHTTPHeaderField: "Content-Type")
        }
        return next
    }
}

extension CallWork {
    /// How an attempt failed, as plugins are told it.
    fileprivate func outcome(of request: Request, _ error: any Error) -> Outcome {
        let response = request.response.map {
            Response(statusCode: $0.statusCode, data: Data(), request: request.request, response: $0)
        }
        if let response, (error as? SessionError)?.isRefusedStatus == true {
            return Outcome.success(response).validated(by: target.validationType)
        }
        return .failure(.underlying(error, response))
    }
}

extension SessionError {
    /// Whether a status code is what is wrong with the response.
    var isRefusedStatus: Bool {
        if case .responseValidationFailed(.unacceptableStatusCode) = self { true } else { false }
    }
}
