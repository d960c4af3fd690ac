internal import FoundationNetworking

extension Session {
    /// A request for a URL, with parameters of a type of the caller's.
    ///
    /// - Parameters:
    ///   - convertible: the URL, `http` or `https`.
    ///   - method: GET by default.
    ///   - parameters: what `encoder` puts into the query or the body; nil adds nothing.
    ///   - encoder: ``URLEncodedFormParameterEncoder/default`` by default.
    ///   - headers: fields of this request, over the session's.
    ///   - timeouts: time-outs of this request, over the session's.
    ///   - interceptor: changes this request, before the session's interceptor.
    ///   - requestModifier: changes the URL request before the parameters are encoded.
    public func request<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters?,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        let plain = EncodedRequest(convertible, method, headers, requestModifier)
        let request = EncodableRequest(plain: plain, parameters: parameters, encoder: encoder)
        return self.request(request, timeouts: timeouts, interceptor: interceptor)
    }

    /// Downloads to a file, with parameters of a type of the caller's.
    public func download<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters?,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        let plain = EncodedRequest(convertible, method, headers, requestModifier)
        let request = EncodableRequest(plain: plain, parameters: parameters, encoder: encoder)
        return download(request, timeouts: timeouts, interceptor: interceptor, to: destination)
    }

    /// A request whose response is handed on as it comes, with parameters of a type of the caller's.
    public func streamRequest<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters?,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataStreamRequest {
        let plain = EncodedRequest(convertible, method, headers, requestModifier)
        let request = EncodableRequest(plain: plain, parameters: parameters, encoder: encoder)
        return streamRequest(request, timeouts: timeouts, interceptor: interceptor)
    }
}

/// A request with parameters of a type of the caller's.
private struct EncodableRequest<Parameters: Encodable & Sendable>: URLRequestConvertible {
    let plain: EncodedRequest
    let parameters: Parameters?
    let encoder: any ParameterEncoder

    func asURLRequest() throws -> URLRequest { try encoder.encode(parameters, into: plain.asURLRequest()) }
}
