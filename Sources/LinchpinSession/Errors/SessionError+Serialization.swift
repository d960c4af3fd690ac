public import Foundation

extension SessionError {
    /// Why a body could not be read.
    public enum ResponseSerializationFailureReason: Sendable {
        /// There was no body, and one is needed.
        case inputDataNilOrZeroLength
        /// There is no downloaded file.
        case inputFileNil
        /// The downloaded file could not be read.
        case inputFileReadFailed(at: URL)
        /// The bytes are no text in this encoding.
        case stringSerializationFailed(encoding: String.Encoding)
        /// The `charset` of the Content-Type is none that is decoded; nothing else is tried in its place.
        case unsupportedCharset(name: String)
        /// The bytes are not JSON.
        case jsonSerializationFailed(error: any Error)
        /// The bytes are not what the decoder wants.
        case decodingFailed(error: any Error)
        /// A serializer or a preprocessor of the caller's own failed.
        case customSerializationFailed(error: any Error)
        /// The response may be empty, but the type has no value for that; see ``EmptyResponse``.
        case invalidEmptyResponse(type: String)
    }

    /// The encoding in which a body was no text; nil for every other error.
    public var failedStringEncoding: String.Encoding? {
        guard case .responseSerializationFailed(.stringSerializationFailed(let encoding)) = self else { return nil }
        return encoding
    }
}

extension SessionError.ResponseSerializationFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .jsonSerializationFailed(let error), .decodingFailed(let error), .customSerializationFailed(let error):
            error
        default: nil
        }
    }
}

extension SessionError.ResponseSerializationFailureReason: CustomStringConvertible {
    /// What is wrong with the body.
    public var description: String {
        switch self {
        case .inputDataNilOrZeroLength: "there is none, and one is needed"
        case .inputFileNil: "there is no downloaded file"
        case .inputFileReadFailed(let url): "the file \(url.path) cannot be read"
        case .stringSerializationFailed(let encoding): "it is no text in \(TextEncoding.name(of: encoding))"
        case .unsupportedCharset(let name): "the charset \"\(name)\" is not known"
        case .jsonSerializationFailed(let error): "it is not JSON: \(error)"
        case .decodingFailed(let error): "it cannot be decoded: \(error)"
        case .customSerializationFailed(let error): "\(error)"
        case .invalidEmptyResponse(let type): "it is empty, and \(type) has no value for that"
        }
    }
}
