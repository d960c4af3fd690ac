internal import Dispatch
internal import FoundationNetworking

extension EndpointProvider {
    /// The body of the target's response, part by part as it comes.
    ///
    /// ```swift
    /// for try await part in provider.requestStream(.events) { parser.feed(part) }
    /// ```
    ///
    /// Equal requests are not joined. A task that uploads a file or a form, or downloads to a file, is no stream: the
    /// first part is then a ``ProviderError`` with a ``TaskError``, and nothing is sent. The session's own retrier hears of
    /// transfers that fail before the first part, not of status codes.
    ///
    /// - Parameters:
    ///   - target: what to ask for.
    public func requestStream(_ target: Target) -> ResponseStream {
        ResponseStream { [self] () throws(ProviderError) in
            let endpoint = endpoint(target)
            guard !endpoint.task.hasBodyOutsideRequest, !endpoint.task.isDownload else {
                let reason = "what is sent from a file or a form, or goes to a file, cannot be streamed"
                throw .parameterEncoding(TaskError(code: .notStreamable, reason: reason)).naming(target)
            }
            let silence = ProviderError.requestMapping("the request closure gave no request")
            let result = await AnswerPromise<URLRequest>.answer(otherwise: silence) { promise in
                requestClosure(endpoint) { promise.keep($0) }
            }
            do throws(ProviderError) {
                return (try result.get(), streamWork(endpoint, target))
            } catch {
                throw error.naming(target)
            }
        }
    }

    private func streamWork(_ endpoint: Endpoint, _ target: Target) -> CallWork {
        let caller = Caller(
            target: target,
            plugins: plugins,
            queue: streamQueue,
            isQueueGiven: true,
            progress: nil,
            completion: { _ in }
        )
        return CallWork(
            target: target,
            endpoint: endpoint,
            session: session,
            plugins: plugins,
            stub: stubClosure(target),
            source: source,
            queue: streamQueue,
            isQueueGiven: true,
            receiver: caller
        )
    }
}
