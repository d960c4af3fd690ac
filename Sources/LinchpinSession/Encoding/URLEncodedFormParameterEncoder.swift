internal import Foundation
public import FoundationNetworking

/// Puts an Encodable value into the query or into a form body.
public struct URLEncodedFormParameterEncoder: ParameterEncoder {
    /// Where the value goes.
    public typealias Destination = URLEncoding.Destination

    /// Query or body, as the method has it, by the default ``URLEncodedFormEncoder``.
    public static var `default`: URLEncodedFormParameterEncoder { URLEncodedFormParameterEncoder() }

    /// Makes the text.
    public let encoder: URLEncodedFormEncoder
    /// Where the value goes.
    public let destination: Destination

    /// Makes an encoder.
    public init(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: Destination = .methodDependent
    ) {
        self.encoder = encoder
        self.destination = destination
    }

    /// The request with the value in it; nil leaves it as it is.
    ///
    /// What the URL already has in its query stays as it is written. A body gets the Content-Type
    /// `application/x-www-form-urlencoded; charset=utf-8`, unless the request has one.
    ///
    /// - Throws: ``SessionError`` `.parameterEncoderFailed`: `.missingRequiredComponent` for a request without a URL or
    ///   a method, `.encoderFailed` for a value that the encoder refuses.
    public func encode<Parameters: Encodable & Sendable>(
        _ parameters: Parameters?,
        into request: URLRequest
    ) throws -> URLRequest {
        guard let parameters else { return request }
        guard let url = request.url else {
            throw SessionError.parameterEncoderFailed(reason: .missingRequiredComponent(.url))
        }
        guard let method = request.method else {
            let reason = SessionError.ParameterEncoderFailureReason.RequiredComponent.httpMethod(
                rawValue: request.httpMethod
            )
            throw SessionError.parameterEncoderFailed(reason: .missingRequiredComponent(reason))
        }
        var request = request
        do {
            let text = try encoder.encode(parameters) as String
            if destination.isQuery(for: method) {
                request.url = try url.appendingQuery(text)
            } else {
                request.setDefaultContentType("application/x-www-form-urlencoded; charset=utf-8")
                request.httpBody = Data(text.utf8)
            }
        } catch {
            throw SessionError.parameterEncoderFailed(reason: .encoderFailed(error: error))
        }
        return request
    }
}

extension ParameterEncoder where Self == URLEncodedFormParameterEncoder {
    /// Puts the value into the query or into a form body, as the method has it.
    public static var urlEncodedForm: URLEncodedFormParameterEncoder { URLEncodedFormParameterEncoder() }

    /// Puts the value into the query or into a form body.
    public static func urlEncodedForm(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: URLEncodedFormParameterEncoder.Destination = .methodDependent
    ) -> URLEncodedFormParameterEncoder {
        URLEncodedFormParameterEncoder(encoder: encoder, destination: destination)
    }
}
