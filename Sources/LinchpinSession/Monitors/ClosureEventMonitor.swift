public import Dispatch
public import FoundationNetworking

/// A monitor of closures; those that are not set do nothing. See ``EventMonitor`` for what each is told.
public struct ClosureEventMonitor: EventMonitor {
    /// Where the closures are called.
    public let queue: DispatchQueue
    /// See ``EventMonitor``.
    public var requestDidCreateInitialURLRequest: (@Sendable (Request, URLRequest) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidFailToCreateURLRequestWithError: (@Sendable (Request, SessionError) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidAdaptInitialRequestToAdaptedRequest: (@Sendable (Request, URLRequest, URLRequest) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidFailToAdaptURLRequestWithError: (@Sendable (Request, URLRequest, SessionError) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidCreateURLRequest: (@Sendable (Request, URLRequest) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidBeginAttempt: (@Sendable (Request, Int) -> Void)?
    /// See ``EventMonitor``.
    public var requestWillBeRedirected: (@Sendable (Request, URLRequest, HTTPURLResponse) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidReceiveResponse: (@Sendable (Request, HTTPURLResponse) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidGatherMetrics: (@Sendable (Request, RequestMetrics) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidCompleteAttempt: (@Sendable (Request, Int, SessionError?) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidValidateResponse: (@Sendable (Request, HTTPURLResponse, SessionError?) -> Void)?
    /// See ``EventMonitor``.
    public var requestIsRetrying: (@Sendable (Request) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidResume: (@Sendable (Request) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidSuspend: (@Sendable (Request) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidCancel: (@Sendable (Request) -> Void)?
    /// See ``EventMonitor``.
    public var requestDidFinish: (@Sendable (Request) -> Void)?

    /// Makes a monitor without closures.
    ///
    /// - Parameters:
    ///   - queue: where the closures are called; a new serial queue by default.
    public init(queue: DispatchQueue = DispatchQueue(label: "linchpin.session.monitor")) { self.queue = queue }

    /// Calls the closure.
    public func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
        requestDidCreateInitialURLRequest?(request, urlRequest)
    }

    /// Calls the closure.
    public func request(_ request: Request, didFailToCreateURLRequestWithError error: SessionError) {
        requestDidFailToCreateURLRequestWithError?(request, error)
    }

    /// Calls the closure.
    public func request(
        _ request: Request,
        didAdaptInitialRequest initialRequest: URLRequest,
        to adaptedRequest: URLRequest
    ) {
        requestDidAdaptInitialRequestToAdaptedRequest?(request, initialRequest, adaptedRequest)
    }

    /// Calls the closure.
    public func request(
        _ request: Request,
        didFailToAdaptURLRequest initialRequest: URLRequest,
        withError error: SessionError
    ) {
        requestDidFailToAdaptURLRequestWithError?(request, initialRequest, error)
    }

    /// Calls the closure.
    public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
        requestDidCreateURLRequest?(request, urlRequest)
    }

    /// Calls the closure.
    public func request(_ request: Request, didBeginAttempt number: Int) {
        requestDidBeginAttempt?(request, number)
    }

    /// Calls the closure.
    public func request(_ request: Request, willBeRedirectedTo next: URLRequest, for response: HTTPURLResponse) {
        requestWillBeRedirected?(request, next, response)
    }

    /// Calls the closure.
    public func request(_ request: Request, didReceiveResponse response: HTTPURLResponse) {
        requestDidReceiveResponse?(request, response)
    }

    /// Calls the closure.
    public func request(_ request: Request, didGatherMetrics metrics: RequestMetrics) {
        requestDidGatherMetrics?(request, metrics)
    }

    /// Calls the closure.
    public func request(_ request: Request, didCompleteAttempt number: Int, with error: SessionError?) {
        requestDidCompleteAttempt?(request, number, error)
    }

    /// Calls the closure.
    public func request(
        _ request: Request,
        didValidateResponse response: HTTPURLResponse,
        withError error: SessionError?
    ) {
        requestDidValidateResponse?(request, response, error)
    }

    /// Calls the closure.
    public func requestIsRetrying(_ request: Request) {
        requestIsRetrying?(request)
    }

    /// Calls the closure.
    public func requestDidResume(_ request: Request) {
        requestDidResume?(request)
    }

    /// Calls the closure.
    public func requestDidSuspend(_ request: Request) {
        requestDidSuspend?(request)
    }

    /// Calls the closure.
    public func requestDidCancel(_ request: Request) {
        requestDidCancel?(request)
    }

    /// Calls the closure.
    public func requestDidFinish(_ request: Request) {
        requestDidFinish?(request)
    }
}
