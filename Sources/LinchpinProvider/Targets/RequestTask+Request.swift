internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

extension RequestTask {
    /// The request with what the task carries.
    ///
    /// - Throws: ``ProviderError`` `.parameterEncoding` or `.encodableMapping`.
    func put(into request: URLRequest) throws(ProviderError) -> URLRequest {
        var request = request
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

extension RequestTask {
    /// Whether the request does not hold the body that is sent.
    var hasBodyOutsideRequest: Bool {
        switch self {
        case .uploadFile, .uploadMultipartFormData, .uploadCompositeMultipartFormData: true
        default: false
        }
    }
}
