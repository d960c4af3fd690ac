public import Foundation

extension SessionError {
    /// Why a response is not accepted.
    public enum ResponseValidationFailureReason: Sendable {
        /// There is no downloaded file.
        case dataFileNil
        /// The downloaded file could not be read.
        case dataFileReadFailed(at: URL)
        /// The response has a body and no Content-Type that can be read, and not every type is accepted.
        case missingContentType(acceptableContentTypes: [String])
        /// The Content-Type is none of the accepted ones.
        case unacceptableContentType(acceptableContentTypes: [String], responseContentType: String)
        /// The status is none of the accepted ones.
        case unacceptableStatusCode(code: Int)
        /// A validation of the caller's own failed.
        case customValidationFailed(error: any Error)
    }

    /// The status that was not accepted; nil for every other error.
    public var responseCode: Int? {
        guard case .responseValidationFailed(.unacceptableStatusCode(let code)) = self else { return nil }
        return code
    }

    /// The content types that were accepted, where the response's was none of them; nil for every other error.
    public var acceptableContentTypes: [String]? {
        switch self {
        case .responseValidationFailed(.missingContentType(let types)): types
        case .responseValidationFailed(.unacceptableContentType(let types, _)): types
        default: nil
        }
    }

    /// The content type that was not accepted; nil for every other error.
    public var responseContentType: String? {
        guard case .responseValidationFailed(.unacceptableContentType(_, let type)) = self else { return nil }
        return type
    }
}

extension SessionError.ResponseValidationFailureReason {
    var underlyingError: (any Error)? {
        if case .customValidationFailed(let error) = self { error } else { nil }
    }
}

extension SessionError.ResponseValidationFailureReason: CustomStringConvertible {
    /// What the response has, and what would have been accepted.
    public var description: String {
        switch self {
        case .dataFileNil: "there is no downloaded file"
        case .dataFileReadFailed(let url): "the file \(url.path) cannot be read"
        case .missingContentType(let types):
            "it has no Content-Type that can be read; accepted are \(types.joined(separator: ", "))"
        case .unacceptableContentType(let types, let type):
            "its Content-Type is \(type); accepted are \(types.joined(separator: ", "))"
        case .unacceptableStatusCode(let code): "its status is \(code)"
        case .customValidationFailed(let error): "\(error)"
        }
    }
}
