internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

extension RequestTask {
    /// The request with what the task carries.
    ///
    /// - Throws: ``ProviderError`` `.parameterEncoding`, also with a ``TaskError``, or `.encodableMapping`.
    func put(into request: URLRequest) throws(ProviderError) -> URLRequest {
        var request = request
        try form?.check(for: request)
        switch self {
        case .requestPlain, .uploadFile, .uploadMultipartFormData, .downloadDestination: break
        case .uploadCompositeMultipartFormData(_, let urlParameters):
            try request.encode(urlParameters, by: URLEncoding.queryString)
        case .requestData(let data): request.httpBody = data
        case .requestJSONEncodable(let value): try request.setBody(value, JSONEncoder())
        case .requestCustomJSONEncodable(let value, let encoder): try request.setBody(value, encoder)
        case .requestParameters(let parameters, let encoding), .downloadParameters(let parameters, let encoding, _):
            try request.encode(parameters, by: encoding)
        case .requestCompositeData(let body, let urlParameters):
            request.httpBody = body
            try request.encode(urlParameters, by: URLEncoding.queryString)
        case .requestCompositeParameters(let bodyParameters, let bodyEncoding, let urlParameters):
            try request.encodeBody(bodyParameters, by: bodyEncoding)
            try request.encode(urlParameters, by: URLEncoding.queryString)
        }
        return request
    }
}

extension URLRequest {
    fileprivate mutating func encode(_ parameters: Parameters, by encoding: any ParameterEncoding) throws(ProviderError)
    {
        do {
            self = try encoding.encode(self, with: parameters)
        } catch {
            throw .parameterEncoding(error)
        }
    }

    fileprivate mutating func encodeBody(
        _ parameters: Parameters,
        by encoding: any ParameterEncoding
    ) throws(ProviderError) {
        let before = url
        if let encoding = encoding as? URLEncoding, encoding.destination != .httpBody {
            throw .parameterEncoding(BodyEncodingError(encoding: encoding))
        }
        try encode(parameters, by: encoding)
        guard url == before else { throw .parameterEncoding(BodyEncodingError(encoding: encoding)) }
    }

    fileprivate mutating func setBody(_ value: any Encodable, _ encoder: JSONEncoder) throws(ProviderError) {
        do {
            httpBody = try encoder.encode(value)
        } catch {
            throw .encodableMapping(error)
        }
        setDefaultContentType("application/json")
    }
}

extension MultipartFormData {
    /// - Throws: ``ProviderError`` `.parameterEncoding` with a ``TaskError`` for a form that cannot be sent with the
    ///   request's method, or has nothing in it.
    fileprivate func check(for request: URLRequest) throws(ProviderError) {
        let method = request.httpMethod ?? "GET"
        guard !["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"].contains(method) else {
            throw .parameterEncoding(
                TaskError(code: .formWithoutBody, reason: "a form is a body, and \(method) has none: use POST")
            )
        }
        guard !isEmpty else {
            throw .parameterEncoding(TaskError(code: .emptyForm, reason: "a form without parts cannot be sent"))
        }
    }
}

extension RequestTask {
    /// The form, if there is one.
    var form: MultipartFormData? {
        switch self {
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _): form
        default: nil
        }
    }

    /// Whether the body that comes goes to a file.
    var isDownload: Bool {
        switch self {
        case .downloadDestination, .downloadParameters: true
        default: false
        }
    }

    /// Whether the request does not hold the body that is sent.
    var hasBodyOutsideRequest: Bool {
        switch self {
        case .uploadFile, .uploadMultipartFormData, .uploadCompositeMultipartFormData: true
        default: false
        }
    }
}
