public import Foundation

/// An envelope of either kind.
public protocol EnvelopeDecodable: DecodableWithConfiguration, Sendable where DecodingConfiguration == EnvelopeFormat {
    /// The code; nil where the format has none.
    var code: EnvelopeCode? { get }
    /// What the API says about the code.
    var message: String? { get }
    /// Whether the code is one of a success; nil where the format has none.
    var isSuccess: Bool? { get }
}

extension Response {
    /// The envelope that the body is, whatever its code.
    ///
    /// - Parameters:
    ///   - type: ``ResponseEnvelope`` or ``ListEnvelope``.
    ///   - format: how the API wraps what it answers.
    ///   - decoder: a `JSONDecoder` by default.
    /// - Throws: ``ProviderError`` `.objectMapping` for a body without the code, or with data of another kind.
    public func map<Envelope: EnvelopeDecodable>(
        envelope type: Envelope.Type,
        format: EnvelopeFormat = EnvelopeFormat(),
        using decoder: JSONDecoder = JSONDecoder()
    ) throws(ProviderError) -> Envelope {
        do {
            return try decoder.decode(type, from: data, configuration: format)
        } catch {
            throw .objectMapping(error, self)
        }
    }

    /// The envelope, if the API calls it a success.
    ///
    /// - Throws: ``EnvelopeError`` for another code, whatever the status; ``ProviderError`` `.statusCode` for a status
    ///   outside 200 to 299 without such a code; `.objectMapping` as ``map(envelope:format:using:)`` does.
    func successfulEnvelope<Envelope: EnvelopeDecodable>(
        _ type: Envelope.Type,
        _ format: EnvelopeFormat,
        _ decoder: JSONDecoder
    ) throws -> Envelope {
        let envelope = Result { () throws(ProviderError) in
            try map(envelope: type, format: format, using: decoder)
        }
        if case .success(let envelope) = envelope, envelope.isSuccess == false, let code = envelope.code {
            throw EnvelopeError(code: code, message: envelope.message, response: self)
        }
        try filterSuccessfulStatusCodes()
        return try envelope.get()
    }
}
