internal import Dispatch
internal import FoundationNetworking
public import LinchpinTrust

/// Sends requests and judges every server before a byte of one leaves.
///
/// One thread and one pool of connections serve all requests of a session; sessions share nothing. Keep the session
/// as long as its requests: when it goes, they end with `.sessionDeinitialized`. Whoever awaits a response keeps it.
/// Safe to use from any thread.
///
/// ```swift
/// let manager = try ServerTrustManager(evaluators: [
///     "api.example.com": PublicKeyPinsTrustEvaluator(pins: ["sha256/…", "sha256/…"])
/// ])
/// let session = Session(serverTrustManager: manager)
/// let data = try await session.request("https://api.example.com/v1").serializingData().value
/// ```
public final class Session: Sendable {
    /// What holds for every request.
    public let configuration: SessionConfiguration
    /// Which evaluator judges which host; nil judges every host by the system's roots.
    public let serverTrustManager: ServerTrustManager?
    private let loop: EventLoop
    private let callbackQueue = DispatchQueue(label: "linchpin.session.callbacks")

    /// Makes a session and starts its thread.
    ///
    /// - Parameters:
    ///   - configuration: what holds for every request.
    ///   - serverTrustManager: which evaluator judges which host; nil, the default, judges every host by the
    ///     system's roots.
    ///
    /// Where libcurl is too old or not built on OpenSSL, or the system gives no descriptors, every request ends with
    /// `.sessionInvalidated` and that reason.
    public init(
        configuration: SessionConfiguration = SessionConfiguration(),
        serverTrustManager: ServerTrustManager? = nil
    ) {
        let configuration = configuration.forOneSession
        self.configuration = configuration
        self.serverTrustManager = serverTrustManager
        loop = EventLoop(configuration: configuration, serverTrustManager: serverTrustManager)
    }

    deinit { loop.stop(with: .sessionDeinitialized) }

    /// Ends every request with `.sessionInvalidated`, closes every connection and waits until the session's thread
    /// has ended. Later requests end with the same error.
    public func invalidate() async { await loop.stopAndWait(with: .sessionInvalidated(error: nil)) }

    /// A request for a URL.
    ///
    /// - Parameters:
    ///   - convertible: the URL, `http` or `https`.
    ///   - method: GET by default.
    ///   - parameters: what `encoding` puts into the query or the body; nothing by default.
    ///   - encoding: ``URLEncoding/default`` by default.
    ///   - headers: fields of this request, over the session's.
    ///   - timeouts: time-outs of this request, over the session's.
    public func request(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil
    ) -> DataRequest {
        request(
            EncodedRequest(
                url: convertible,
                method: method,
                parameters: parameters,
                encoding: encoding,
                headers: headers
            ),
            timeouts: timeouts
        )
    }

    /// A request of the caller's making.
    ///
    /// - Parameters:
    ///   - convertible: a `URLRequest`, or what makes one when the request starts. A `timeoutInterval` other than
    ///     Foundation's default of 60 seconds is taken for the idle time-out.
    ///   - timeouts: time-outs of this request, over the session's.
    public func request(_ convertible: any URLRequestConvertible, timeouts: Timeouts? = nil) -> DataRequest {
        let options = RequestOptions(
            timeouts: timeouts ?? Timeouts(),
            sessionTimeouts: configuration.timeouts,
            startsImmediately: configuration.startRequestsImmediately,
            waitsForTurn: configuration.limitsConnections,
            callbackQueue: callbackQueue
        )
        return DataRequest(convertible: convertible, options: options, session: self, loop: loop)
    }
}

/// A request that is made of its parts when it starts.
private struct EncodedRequest: URLRequestConvertible {
    let url: any URLConvertible
    let method: HTTPMethod
    let parameters: Parameters?
    let encoding: any ParameterEncoding
    let headers: HTTPHeaders?

    func asURLRequest() throws -> URLRequest {
        try encoding.encode(URLRequest(url: url, method: method, headers: headers), with: parameters)
    }
}
