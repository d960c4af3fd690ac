/// How far a request has come, step by step; the last element has the response.
///
/// The request is made and sent when the first element is asked for, by each iterator anew. Letting go of the iterator,
/// or cancelling the task that waits for an element, cancels the request. Steps that nobody asks for in time give way
/// to later ones. Plugins see the request like any other.
public struct ProgressSequence: AsyncSequence, Sendable {
    /// A step.
    public typealias Element = ProgressResponse
    /// Why there is no response.
    public typealias Failure = ProviderError

    let begin: ProgressReader.Beginning

    /// The steps from the first one.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: ProgressReader(begin)) }

    /// Reads the steps of one request.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: ProgressReader

        /// The next step; nil after the one with the response.
        ///
        /// - Throws: ``ProviderError``, once; `.underlying` around `SessionError.explicitlyCancelled` when the task is
        ///   cancelled.
        public mutating func next() async throws(ProviderError) -> ProgressResponse? { try await reader.next() }

        /// The next step; nil after the one with the response.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ProviderError) -> ProgressResponse? {
            try await reader.next()
        }
    }
}

extension EndpointProvider {
    /// The target's request with its progress, as a sequence.
    ///
    /// ```swift
    /// for try await step in provider.requestWithProgress(.upload(file)) {
    ///     bar.value = step.progress
    ///     if let response = step.response { show(response) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - target: what to ask for.
    public func requestWithProgress(_ target: Target) -> ProgressSequence {
        ProgressSequence { [self] step, end in
            request(target, callbackQueue: nil, progress: { if !$0.completed { step($0) } }, completion: end)
        }
    }
}
