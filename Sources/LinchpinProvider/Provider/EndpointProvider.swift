public import Dispatch
public import FoundationNetworking
public import LinchpinSession

/// Sends the requests of an API that a ``TargetType`` describes; Moya's `MoyaProvider`.
///
/// ```swift
/// let provider = EndpointProvider<Library>(plugins: [AccessTokenPlugin { _ in token }])
/// let book = try await provider.request(.book(id: 1)).filterSuccessfulStatusCodes().map(Book.self)
/// ```
///
/// Every completion is called exactly once: with the response, whatever its status code, or with the reason why there
/// is none. A request keeps the session, and with it its connections, until it has ended; the provider itself may go
/// earlier. Safe to use from any thread.
open class EndpointProvider<Target: TargetType> {
    /// Takes what came of a request.
    public typealias Completion = @Sendable (Result<Response, ProviderError>) -> Void
    /// Takes how far a request has come.
    public typealias ProgressBlock = @Sendable (ProgressResponse) -> Void
    /// Makes the endpoint of a target.
    public typealias EndpointClosure = @Sendable (Target) -> Endpoint
    /// Takes the request of an endpoint; only the first call counts.
    public typealias RequestResultClosure = @Sendable (Result<URLRequest, ProviderError>) -> Void
    /// Makes the request of an endpoint, at once or later, on any thread. When it lets go of the callback without
    /// having called it, the request ends with ``ProviderError`` `.requestMapping`.
    public typealias RequestClosure = @Sendable (Endpoint, @escaping RequestResultClosure) -> Void
    /// Decides whether a target is stubbed.
    public typealias StubClosure = @Sendable (Target) -> StubBehavior

    /// Makes the endpoint of a target, on the thread that makes the request.
    public let endpointClosure: EndpointClosure
    /// Makes the request of an endpoint.
    public let requestClosure: RequestClosure
    /// Decides whether a target is stubbed, on the thread that makes the request.
    public let stubClosure: StubClosure
    /// Sends what is not stubbed.
    public let session: Session
    /// See and change what is sent and what comes, in this order.
    public let plugins: [any PluginType]
    /// Whether of equal requests under way only one is sent.
    public let trackInflights: Bool
    /// Answers in the session's place.
    let source: (any ResponseSource)?
    /// The given queue.
    private let callbackQueue: DispatchQueue?
    /// Where completions are called when no queue was given.
    private let ownQueue = DispatchQueue(label: "linchpin.provider.callbacks")
    private let inflights = InflightTable()

    /// Where the plugins see the end of a stream.
    var streamQueue: DispatchQueue { callbackQueue ?? ownQueue }

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - endpointClosure: makes the endpoint of a target; ``defaultEndpointMapping(for:)`` by default.
    ///   - requestClosure: makes the request of an endpoint; ``defaultRequestMapping(for:closure:)`` by default.
    ///   - stubClosure: decides whether a target is stubbed; ``neverStub(_:)`` by default.
    ///   - callbackQueue: where completions are called; a serial queue of the provider's own by default.
    ///   - session: sends what is not stubbed; one that judges every host by the system's roots by default.
    ///   - plugins: see and change what is sent and what comes, in this order; none by default.
    ///   - trackInflights: whether of equal requests under way only one is sent, false by default. Equal are those that
    ///     send the same, validate the same, need the same kind of token and get the same credentials of Linchpin's
    ///     plugins; what a plugin of your own puts in later is not known, and must not depend on who asks. Every caller
    ///     gets the answer on its own queue and may cancel for itself; the transfer ends when the last one cancels. The
    ///     plugins' `prepare`, `willSend` and `didReceive` see the one request, their `process` runs for each caller.
    @preconcurrency
    public init(
        endpointClosure: @escaping EndpointClosure = EndpointProvider.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = EndpointProvider.defaultRequestMapping,
        stubClosure: @escaping StubClosure = EndpointProvider.neverStub,
        callbackQueue: DispatchQueue? = nil,
        session: Session = Session(),
        plugins: [any PluginType] = [],
        trackInflights: Bool = false
    ) {
        self.endpointClosure = endpointClosure
        self.requestClosure = requestClosure
        self.stubClosure = stubClosure
        self.callbackQueue = callbackQueue
        self.session = session
        self.plugins = plugins
        self.trackInflights = trackInflights
        source = nil
    }

    /// Makes a provider that sends nothing: a source answers every request, after all plugins have seen it.
    ///
    /// - Parameters:
    ///   - source: answers the requests.
    ///   - endpointClosure: makes the endpoint of a target; ``defaultEndpointMapping(for:)`` by default.
    ///   - requestClosure: makes the request of an endpoint; ``defaultRequestMapping(for:closure:)`` by default.
    ///   - callbackQueue: where completions are called; a serial queue of the provider's own by default.
    ///   - plugins: see and change what is asked and what comes, in this order; none by default.
    ///   - trackInflights: whether of equal requests under way only one is asked, false by default.
    @preconcurrency
    public init(
        answeredBy source: any ResponseSource,
        endpointClosure: @escaping EndpointClosure = EndpointProvider.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = EndpointProvider.defaultRequestMapping,
        callbackQueue: DispatchQueue? = nil,
        plugins: [any PluginType] = [],
        trackInflights: Bool = false
    ) {
        self.source = source
        self.endpointClosure = endpointClosure
        self.requestClosure = requestClosure
        stubClosure = EndpointProvider.neverStub
        self.callbackQueue = callbackQueue
        session = Session()
        self.plugins = plugins
        self.trackInflights = trackInflights
    }

    /// The endpoint of a target, by ``endpointClosure``. Subclasses may make another one.
    open func endpoint(_ target: Target) -> Endpoint { endpointClosure(target) }

    /// Makes the target's request and sends it, unless it is stubbed.
    ///
    /// Endpoint, request, and the plugins' `prepare` and `willSend` are made on the calling thread, unless the request
    /// closure answers on another one. Nothing is sent when no request can be made of the target; the completion then
    /// gets a ``ProviderError`` that names the target and the part of it that is at fault.
    ///
    /// - Parameters:
    ///   - target: what to ask for.
    ///   - callbackQueue: where `completion` and the plugins' `didReceive` and `process` are called, whatever the
    ///     result; the provider's by default.
    ///   - progress: called there when the response has come, before `completion`; never for stubs.
    ///   - completion: called exactly once. Only an immediate stub without any callback queue calls it before this
    ///     returns.
    /// - Returns: what cancels the request. A cancelled one ends with `.underlying` around
    ///   `SessionError.explicitlyCancelled`.
    @preconcurrency
    @discardableResult
    open func request(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil,
        progress: ProgressBlock? = nil,
        completion: @escaping Completion
    ) -> any Cancellable {
        let givenQueue = callbackQueue ?? self.callbackQueue
        let caller = Caller(
            target: target,
            plugins: plugins,
            queue: givenQueue ?? ownQueue,
            isQueueGiven: givenQueue != nil,
            progress: progress,
            completion: completion
        )
        let endpoint = endpoint(target)
        let stub = stubClosure(target)
        guard trackInflights,
            let key = InflightKey(endpoint: endpoint, target: target, stub: stub, plugins: plugins)
        else {
            let call = call(endpoint, stub, for: caller, receiver: caller)
            begin(call, endpoint)
            return call
        }
        let group = InflightTable.Group()
        let everybody = InflightCallers(table: inflights, group: group, queue: caller.queue)
        let call = call(endpoint, stub, for: caller, receiver: everybody)
        let (token, isFirst) = inflights.join(key, group: group, call: call, caller: caller)
        if isFirst { begin(call, endpoint) }
        return token
    }

    /// Makes the target's request, sends it, unless it is stubbed, and waits for the response.
    ///
    /// Cancelling the waiting task cancels the request.
    ///
    /// - Parameters:
    ///   - target: what to ask for.
    /// - Throws: ``ProviderError``; `.underlying` around `SessionError.explicitlyCancelled` when the task is cancelled.
    open func request(_ target: Target) async throws(ProviderError) -> Response {
        guard !Task.isCancelled else { throw .cancelled }
        let cancellation = TaskCancellation()
        let result = await withTaskCancellationHandler {
            await awaited { deliver in
                let sent = request(target) { deliver($0) }
                cancellation.take { sent.cancel() }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    private func call(
        _ endpoint: Endpoint,
        _ stub: StubBehavior,
        for caller: Caller,
        receiver: any CallReceiver
    ) -> ProviderCall {
        ProviderCall(
            CallWork(
                target: caller.target,
                endpoint: endpoint,
                session: session,
                plugins: plugins,
                stub: stub,
                source: source,
                queue: caller.queue,
                isQueueGiven: caller.isQueueGiven,
                receiver: receiver
            )
        )
    }

    private func begin(_ call: ProviderCall, _ endpoint: Endpoint) {
        let promise = RequestPromise(for: call)
        requestClosure(endpoint) { promise.keep($0) }
    }
}

// Everything in it is immutable and Sendable. A subclass restates the claim for what it adds.
extension EndpointProvider: @unchecked Sendable {}
