internal import FoundationNetworking

/// What answers a request: the session or a stub.
protocol ProviderExchange: Sendable {
    /// What was sent last, as the plugins made it.
    var sent: URLRequest { get }

    /// Whether the plugins have seen that being sent.
    var isSeen: Bool { get }

    /// Begins; `answer` is called once, where the completion is to be called.
    func start(_ answer: @escaping @Sendable (Result<Response, ProviderError>) -> Void)

    /// Ends it; whether `answer` is still called does not matter.
    func cancel()
}
