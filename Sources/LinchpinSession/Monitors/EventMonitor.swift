public import Dispatch
public import FoundationNetworking

/// Told about every step of requests.
///
/// Each method is called on the monitor's own ``queue``, later than what it tells of and in its order; nothing waits for
/// it. All have defaults that do nothing. A monitor sees the URLs and fields as they are, secrets included; see
/// ``LogEventMonitor`` for one that shows none.
///
/// Usual order: the initial URL request, its adaptation, the URL request that is sent, the attempt's beginning, the
/// response, the attempt's end, validation, then another attempt or the finish, and what was made of the response.
public protocol EventMonitor: Sendable {
    /// Where the methods are called; it should be serial. By default a queue that monitors without one of their own
    /// share.
    var queue: DispatchQueue { get }

    /// The caller's parts were made into a URL request; interceptors have not seen it.
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest)

    /// No URL request could be made.
    func request(_ request: Request, didFailToCreateURLRequestWithError error: SessionError)

    /// Adapters have changed the URL request, or left it as it was.
    func request(_ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest)

    /// An adapter failed.
    func request(_ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: SessionError)

    /// This is what the attempt sends.
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest)

    /// An attempt, counted from 0, goes to the session's loop.
    func request(_ request: Request, didBeginAttempt number: Int)

    /// The response leads elsewhere, and the session proposes this; a ``RedirectHandler`` may want something
    /// else.
    func request(_ request: Request, willBeRedirectedTo next: URLRequest, for response: HTTPURLResponse)

    /// The final response's head is there, before its body.
    func request(_ request: Request, didReceiveResponse response: HTTPURLResponse)

    /// What an attempt that sent something has measured.
    func request(_ request: Request, didGatherMetrics metrics: RequestMetrics)

    /// An attempt, counted from 0, has ended; the error is nil where a response came whole.
    func request(_ request: Request, didCompleteAttempt number: Int, with error: SessionError?)

    /// Validators have looked at the response; the error is nil where all accept it.
    func request(_ request: Request, didValidateResponse response: HTTPURLResponse, withError error: SessionError?)

    /// Another attempt is due.
    func requestIsRetrying(_ request: Request)

    /// The request was started, or goes on.
    func requestDidResume(_ request: Request)

    /// The caller holds the request.
    func requestDidSuspend(_ request: Request)

    /// The caller has cancelled the request.
    func requestDidCancel(_ request: Request)

    /// The outcome is there: ``Request/response`` and ``Request/error`` say which. Once, the last but for
    /// parsing.
    func requestDidFinish(_ request: Request)

    /// A value, or an error, was made of the response of a request whose body is kept in memory.
    func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, SessionError>)

    /// A value, or an error, was made of a download.
    func request<Value>(_ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, SessionError>)
}

extension EventMonitor {
    /// A serial queue that monitors share.
    public var queue: DispatchQueue { MonitorQueue.shared }

    /// Does nothing.
    public func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {}

    /// Does nothing.
    public func request(_ request: Request, didFailToCreateURLRequestWithError error: SessionError) {}

    /// Does nothing.
    public func request(
        _ request: Request,
        didAdaptInitialRequest initialRequest: URLRequest,
        to adaptedRequest: URLRequest
    ) {}

    /// Does nothing.
    public func request(
        _ request: Request,
        didFailToAdaptURLRequest initialRequest: URLRequest,
        withError error: SessionError
    ) {}

    /// Does nothing.
    public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {}

    /// Does nothing.
    public func request(_ request: Request, didBeginAttempt number: Int) {}

    /// Does nothing.
    public func request(_ request: Request, willBeRedirectedTo next: URLRequest, for response: HTTPURLResponse) {}

    /// Does nothing.
    public func request(_ request: Request, didReceiveResponse response: HTTPURLResponse) {}

    /// Does nothing.
    public func request(_ request: Request, didGatherMetrics metrics: RequestMetrics) {}

    /// Does nothing.
    public func request(_ request: Request, didCompleteAttempt number: Int, with error: SessionError?) {}

    /// Does nothing.
    public func request(
        _ request: Request,
        didValidateResponse response: HTTPURLResponse,
        withError error: SessionError?
    ) {}

    /// Does nothing.
    public func requestIsRetrying(_ request: Request) {}

    /// Does nothing.
    public func requestDidResume(_ request: Request) {}

    /// Does nothing.
    public func requestDidSuspend(_ request: Request) {}

    /// Does nothing.
    public func requestDidCancel(_ request: Request) {}

    /// Does nothing.
    public func requestDidFinish(_ request: Request) {}

    /// Does nothing.
    public func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, SessionError>) {}

    /// Does nothing.
    public func request<Value>(
        _ request: DownloadRequest,
        didParseResponse response: DownloadResponse<Value, SessionError>
    ) {}
}

private enum MonitorQueue {
    static let shared = DispatchQueue(label: "linchpin.session.monitors")
}
