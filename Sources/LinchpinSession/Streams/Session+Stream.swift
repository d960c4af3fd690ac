internal import FoundationNetworking

extension Session {
    /// A request whose response is handed on as it comes.
    ///
    /// - Parameters:
    ///   - convertible: the URL, `http` or `https`.
    ///   - method: GET by default.
    ///   - parameters: what `encoding` puts into the query or the body; nothing by default.
    ///   - encoding: ``URLEncoding/default`` by default.
    ///   - headers: fields of this request, over the session's.
    ///   - timeouts: time-outs of this request, over the session's.
    ///   - interceptor: changes this request, before the session's interceptor. It is not asked for another attempt
    ///     once a part of the body has come.
    ///   - requestModifier: changes the URL request before the parameters are encoded.
    public func streamRequest(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataStreamRequest {
        let request = EncodedRequest(convertible, method, parameters, encoding, headers, requestModifier)
        return streamRequest(request, timeouts: timeouts, interceptor: interceptor)
    }

    /// A request of the caller's making, whose response is handed on as it comes.
    public func streamRequest(
        _ convertible: any URLRequestConvertible,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil
    ) -> DataStreamRequest {
        let options = RequestOptions(timeouts: timeouts, interceptor: interceptor, needsOwnConnection: true)
        return DataStreamRequest(convertible, options: options, session: self)
    }
}
