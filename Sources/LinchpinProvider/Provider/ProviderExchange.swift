/// What answers a request: the session or a stub.
protocol ProviderExchange: Sendable {
    /// Begins; `answer` is called once, where the completion is to be called.
    func start(_ answer: @escaping @Sendable (Result<Response, ProviderError>) -> Void)

    /// Ends it; whether `answer` is still called does not matter.
    func cancel()
}
