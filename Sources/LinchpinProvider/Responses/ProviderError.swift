public import Foundation
public import LinchpinSession
public import LinchpinTrust

/// Why a provider gave no response, or a response no value; Moya's cases (`MoyaError`).
///
/// What no case here is about arrives as ``underlying(_:_:)`` around a `SessionError`: a refused server, a transfer
/// that failed, a cancellation. ``trustError`` and ``sessionError`` look into it.
public enum ProviderError: Error, Sendable {
    /// The body is no image. Linchpin maps no images; the case is for code that does.
    case imageMapping(Response)
    /// The body is no JSON, or has nothing at the key path.
    case jsonMapping(Response)
    /// The body is no text, or has none at the key path.
    case stringMapping(Response)
    /// The body is not what the decoder wants; with its error.
    case objectMapping(any Error, Response)
    /// The task's value could not be made into JSON. From a provider the error is a ``TargetError``.
    case encodableMapping(any Error)
    /// The status code is not one of those that were asked for.
    case statusCode(Response)
    /// Anything else, and a status code that ``TargetType/validationType`` does not accept.
    case underlying(any Error, Response?)
    /// The endpoint's URL is none. From an endpoint this is its text; from a provider a sentence that names the
    /// target too, without secrets of the URL.
    case requestMapping(String)
    /// The parameters could not be encoded. From a provider the error is a ``TargetError``.
    case parameterEncoding(any Error)
}

extension ProviderError {
    /// The response, where one came.
    public var response: Response? {
        switch self {
        case .imageMapping(let response), .jsonMapping(let response), .stringMapping(let response),
            .objectMapping(_, let response), .statusCode(let response):
            response
        case .underlying(_, let response): response
        case .encodableMapping, .requestMapping, .parameterEncoding: nil
        }
    }

    /// The error underneath, if there is one.
    public var underlyingError: (any Error)? {
        switch self {
        case .objectMapping(let error, _), .encodableMapping(let error), .underlying(let error, _),
            .parameterEncoding(let error):
            error
        case .imageMapping, .jsonMapping, .stringMapping, .statusCode, .requestMapping: nil
        }
    }

    /// The session's error, if that is what is underneath.
    public var sessionError: SessionError? {
        let error = (underlyingError as? TargetError)?.cause ?? underlyingError
        return error as? SessionError
    }

    /// Why the server was refused; nil for every other error.
    public var trustError: TrustError? { sessionError?.trustError }

    /// What a request ends with that was cancelled.
    static var cancelled: ProviderError { .underlying(SessionError.explicitlyCancelled, nil) }
}

extension ProviderError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What went wrong, in one sentence.
    public var errorDescription: String? {
        switch self {
        case .imageMapping: "Failed to map data to an Image."
        case .jsonMapping: "Failed to map data to JSON."
        case .stringMapping: "Failed to map data to a String."
        case .objectMapping: "Failed to map data to a Decodable object."
        case .encodableMapping: "Failed to encode Encodable object into data."
        case .statusCode: "Status code didn't fall within the given range."
        case .requestMapping: "Failed to map Endpoint to a URLRequest."
        case .parameterEncoding(let error): "Failed to encode parameters for URLRequest. \(error.localizedDescription)"
        case .underlying(let error, _): error.localizedDescription
        }
    }

    /// What went wrong, with the cause and the response.
    public var description: String {
        let sentence = errorDescription ?? ""
        return switch self {
        case .requestMapping(let text): "\(sentence) \(Redaction.url(text))"
        case .encodableMapping(let error): "\(sentence) \(TargetError.text(of: error))"
        case .objectMapping(let error, let response): "\(sentence) \(TargetError.text(of: error)) (\(response))"
        case .underlying(let error as ProviderError, _): error.description
        default: sentence + (response.map { " (\($0))" } ?? "")
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// What ``description`` shows, for `dump`: the text that is no URL may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: ["error": description]) }
}

extension ProviderError: CustomNSError {
    /// ``errorDescription`` and ``underlyingError`` under Foundation's keys.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: errorDescription ?? description]
        info[NSUnderlyingErrorKey] = underlyingError
        return info
    }
}
