public import FoundationNetworking

/// Puts an Encodable value into a request.
public protocol ParameterEncoder: Sendable {
    /// The request with the value in it; nil leaves it as it is.
    ///
    /// - Throws: ``SessionError`` `.parameterEncoderFailed`.
    func encode<Parameters: Encodable & Sendable>(
        _ parameters: Parameters?,
        into request: URLRequest
    ) throws -> URLRequest
}
