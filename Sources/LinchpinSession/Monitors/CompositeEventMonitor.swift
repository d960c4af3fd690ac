internal import Dispatch
public import FoundationNetworking

/// Several monitors as one; each is called on its own queue.
public struct CompositeEventMonitor: EventMonitor {
    /// In the order in which they are told.
    public let monitors: [any EventMonitor]

    /// Makes one of many.
    public init(monitors: [any EventMonitor]) { self.monitors = monitors }

    private func tell(_ event: @escaping @Sendable (any EventMonitor) -> Void) { monitors.tell(event) }

    /// Tells the monitors.
    public func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
        tell { $0.request(request, didCreateInitialURLRequest: urlRequest) }
    }

    /// Tells the monitors.
    public func request(_ request: Request, didFailToCreateURLRequestWithError error: SessionError) {
        tell { $0.request(request, didFailToCreateURLRequestWithError: error) }
    }

    /// Tells the monitors.
    public func request(
        _ request: Request,
        didAdaptInitialRequest initialRequest: URLRequest,
        to adaptedRequest: URLRequest
    ) {
        tell { $0.request(request, didAdaptInitialRequest: initialRequest, to: adaptedRequest) }
    }

    /// Tells the monitors.
    public func request(
        _ request: Request,
        didFailToAdaptURLRequest initialRequest: URLRequest,
        withError error: SessionError
    ) {
        tell { $0.request(request, didFailToAdaptURLRequest: initialRequest, withError: error) }
    }

    /// Tells the monitors.
    public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
        tell { $0.request(request, didCreateURLRequest: urlRequest) }
    }

    /// Tells the monitors.
    public func request(_ request: Request, didBeginAttempt number: Int) {
        tell { $0.request(request, didBeginAttempt: number) }
    }

    /// Tells the monitors.
    public func request(_ request: Request, willBeRedirectedTo next: URLRequest, for response: HTTPURLResponse) {
        tell { $0.request(request, willBeRedirectedTo: next, for: response) }
    }

    /// Tells the monitors.
    public func request(_ request: Request, didReceiveResponse response: HTTPURLResponse) {
        tell { $0.request(request, didReceiveResponse: response) }
    }

    /// Tells the monitors.
    public func request(_ request: Request, didGatherMetrics metrics: RequestMetrics) {
        tell { $0.request(request, didGatherMetrics: metrics) }
    }

    /// Tells the monitors.
    public func request(_ request: Request, didCompleteAttempt number: Int, with error: SessionError?) {
        tell { $0.request(request, didCompleteAttempt: number, with: error) }
    }

    /// Tells the monitors.
    public func request(
        _ request: Request,
        didValidateResponse response: HTTPURLResponse,
        withError error: SessionError?
    ) {
        tell { $0.request(request, didValidateResponse: response, withError: error) }
    }

    /// Tells the monitors.
    public func requestIsRetrying(_ request: Request) {
        tell { $0.requestIsRetrying(request) }
    }

    /// Tells the monitors.
    public func requestDidResume(_ request: Request) {
        tell { $0.requestDidResume(request) }
    }

    /// Tells the monitors.
    public func requestDidSuspend(_ request: Request) {
        tell { $0.requestDidSuspend(request) }
    }

    /// Tells the monitors.
    public func requestDidCancel(_ request: Request) {
        tell { $0.requestDidCancel(request) }
    }

    /// Tells the monitors.
    public func requestDidFinish(_ request: Request) {
        tell { $0.requestDidFinish(request) }
    }

    /// Tells the monitors.
    public func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, SessionError>) {
        tell { $0.request(request, didParseResponse: response) }
    }

    /// Tells the monitors.
    public func request<Value>(
        _ request: DownloadRequest,
        didParseResponse response: DownloadResponse<Value, SessionError>
    ) {
        tell { $0.request(request, didParseResponse: response) }
    }
}

extension [any EventMonitor] {
    /// Tells each on its own queue.
    func tell(_ event: @escaping @Sendable (any EventMonitor) -> Void) {
        for monitor in self { monitor.queue.async { event(monitor) } }
    }
}
