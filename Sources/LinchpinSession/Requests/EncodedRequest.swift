internal import FoundationNetworking

/// A request that is made of its parts for each attempt.
struct EncodedRequest: URLRequestConvertible {
    private let url: any URLConvertible
    private let method: HTTPMethod
    private let parameters: Parameters?
    private let encoding: any ParameterEncoding
    private let headers: HTTPHeaders?
    private let modifier: Session.RequestModifier?

    init(
        _ url: any URLConvertible,
        _ method: HTTPMethod,
        _ parameters: Parameters?,
        _ encoding: any ParameterEncoding,
        _ headers: HTTPHeaders?,
        _ modifier: Session.RequestModifier?
    ) {
        self.url = url
        self.method = method
        self.parameters = parameters
        self.encoding = encoding
        self.headers = headers
        self.modifier = modifier
    }

    /// A request without parameters.
    init(
        _ url: any URLConvertible,
        _ method: HTTPMethod,
        _ headers: HTTPHeaders?,
        _ modifier: Session.RequestModifier?
    ) {
        self.init(url, method, nil, URLEncoding.default, headers, modifier)
    }

    func asURLRequest() throws -> URLRequest {
        var request = try URLRequest(url: url, method: method, headers: headers)
        try modifier?(&request)
        return try encoding.encode(request, with: parameters)
    }
}
