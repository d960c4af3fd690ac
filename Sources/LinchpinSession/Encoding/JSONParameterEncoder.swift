public import Foundation
public import FoundationNetworking

/// Puts an Encodable value into the body as JSON.
public struct JSONParameterEncoder: ParameterEncoder {
    /// JSON as a `JSONEncoder` writes it by default.
    public static var `default`: JSONParameterEncoder { JSONParameterEncoder() }
    /// JSON with line breaks and indentation.
    public static var prettyPrinted: JSONParameterEncoder { JSONParameterEncoder(formatting: .prettyPrinted) }
    /// JSON with its keys in order.
    public static var sortedKeys: JSONParameterEncoder { JSONParameterEncoder(formatting: .sortedKeys) }

    /// Makes the JSON.
    public let encoder: JSONEncoder

    /// Makes an encoder of an encoder, which must not be changed afterwards.
    public init(encoder: JSONEncoder = JSONEncoder()) { self.encoder = encoder }

    private init(formatting: JSONEncoder.OutputFormatting) {
        encoder = JSONEncoder()
        encoder.outputFormatting = formatting
    }

    /// The request with the value as its body; nil leaves it as it is.
    ///
    /// The request gets the Content-Type `application/json`, unless it has one.
    ///
    /// - Throws: ``SessionError`` `.parameterEncoderFailed(.encoderFailed)`.
    public func encode<Parameters: Encodable & Sendable>(
        _ parameters: Parameters?,
        into request: URLRequest
    ) throws -> URLRequest {
        guard let parameters else { return request }
        var request = request
        do {
            request.httpBody = try encoder.encode(parameters)
        } catch {
            throw SessionError.parameterEncoderFailed(reason: .encoderFailed(error: error))
        }
        request.setDefaultContentType("application/json")
        return request
    }
}

extension ParameterEncoder where Self == JSONParameterEncoder {
    /// Puts the value into the body as JSON.
    public static var json: JSONParameterEncoder { JSONParameterEncoder() }

    /// Puts the value into the body as the JSON that the encoder makes.
    public static func json(encoder: JSONEncoder) -> JSONParameterEncoder { JSONParameterEncoder(encoder: encoder) }
}
