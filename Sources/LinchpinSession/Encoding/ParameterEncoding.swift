public import FoundationNetworking

/// Names and values that an encoding puts into a request. Values are read while the request is made, on one thread.
public typealias Parameters = [String: any Any & Sendable]

/// Puts parameters into a request.
public protocol ParameterEncoding: Sendable {
    /// The request with the parameters in it; nil parameters leave it as it is.
    ///
    /// - Throws: ``SessionError`` `.parameterEncodingFailed`.
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest
}
