public import Foundation
public import LinchpinTrust

/// Why a request gave no response, with Alamofire's cases (`AFError`).
public indirect enum SessionError: Error, Sendable {
    /// What is to be uploaded could not be opened.
    case createUploadableFailed(error: any Error)
    /// Making the URL request failed.
    case createURLRequestFailed(error: any Error)
    /// A download could not be moved to the place that its destination names.
    case downloadedFileMoveFailed(error: any Error, source: URL, destination: URL)
    /// ``Request/cancel()`` was called, or the task that waited was cancelled.
    case explicitlyCancelled
    /// The text or the components are not a URL.
    case invalidURL(url: any URLConvertible)
    /// A multipart body could not be made.
    case multipartEncodingFailed(reason: MultipartEncodingFailureReason)
    /// A ``ParameterEncoder`` failed.
    case parameterEncoderFailed(reason: ParameterEncoderFailureReason)
    /// A ``ParameterEncoding`` failed.
    case parameterEncodingFailed(reason: ParameterEncodingFailureReason)
    /// A ``RequestAdapter`` failed.
    case requestAdaptationFailed(error: any Error)
    /// A ``RequestRetrier`` failed, or gave up with an error of its own.
    case requestRetryFailed(retryError: any Error, originalError: any Error)
    /// The body could not be made into what was asked for.
    case responseSerializationFailed(reason: ResponseSerializationFailureReason)
    /// The response is not what the request accepts.
    case responseValidationFailed(reason: ResponseValidationFailureReason)
    /// The server, or the way to it, was refused; no byte of the request was sent to it.
    case serverTrustEvaluationFailed(reason: TrustError)
    /// The session went while the request ran.
    case sessionDeinitialized
    /// ``Session/invalidate()`` was called before the request ended.
    case sessionInvalidated(error: (any Error)?)
    /// The transfer failed; a ``TransportError`` says how.
    case sessionTaskFailed(error: any Error)
    /// The request cannot be sent as it is.
    case urlRequestValidationFailed(reason: URLRequestValidationFailureReason)

    /// Why parameters could not be encoded.
    public enum ParameterEncodingFailureReason: Sendable {
        /// The request has no URL.
        case missingURL
        /// JSON could not be made of the parameters.
        case jsonEncodingFailed(error: any Error)
        /// An encoding of the caller's own failed.
        case customEncodingFailed(error: any Error)
    }

    /// Why a request is not sent.
    public enum URLRequestValidationFailureReason: Sendable {
        /// A GET request has a body, which RFC 9110 §9.3.1 gives no meaning.
        case bodyDataInGETRequest(Data)
        /// The method is not a token, or is CONNECT, which only a proxy is sent.
        case invalidMethod(String)
        /// The field has a character that would make another field or request of it; its value is not repeated here.
        case invalidHeader(name: String)
        /// A user's name or password that cannot be sent; neither is repeated here.
        case invalidCredential(why: String)
        /// A time-out that is not a positive number of seconds.
        case invalidTimeout(TimeInterval)
        /// The session's configuration has something that cannot be.
        case invalidConfiguration(String, why: String)
        /// The scheme is neither `http` nor `https`, or there is no host.
        case unsupportedURL(String, why: String)
    }
}

extension SessionError {
    /// The error underneath, if there is one.
    public var underlyingError: (any Error)? {
        switch self {
        case .createURLRequestFailed(let error), .createUploadableFailed(let error), .sessionTaskFailed(let error),
            .downloadedFileMoveFailed(let error, _, _), .requestAdaptationFailed(let error),
            .requestRetryFailed(let error, _):
            error
        case .sessionInvalidated(let error): error
        case .serverTrustEvaluationFailed(let reason): reason
        case .parameterEncodingFailed(.jsonEncodingFailed(let error)),
            .parameterEncodingFailed(.customEncodingFailed(let error)),
            .parameterEncoderFailed(.encoderFailed(let error)):
            error
        case .multipartEncodingFailed(let reason): reason.underlyingError
        case .responseSerializationFailed(let reason): reason.underlyingError
        case .responseValidationFailed(let reason): reason.underlyingError
        default: nil
        }
    }

    /// Why the server was refused; nil for every other error.
    public var trustError: TrustError? {
        if case .serverTrustEvaluationFailed(let reason) = self { reason } else { nil }
    }

    /// How the transfer failed; nil for every other error.
    public var transportError: TransportError? {
        if case .sessionTaskFailed(let error) = self { error as? TransportError } else { nil }
    }

    /// Whether the transfer took longer than one of its time-outs.
    public var isTimeout: Bool {
        if case .timedOut = transportError?.code { true } else { false }
    }
}

extension SessionError: LocalizedError, CustomStringConvertible, CustomReflectable {
    /// What went wrong, in one sentence or, for a refusal, with the chains and pins.
    public var description: String {
        switch self {
        case .createUploadableFailed(let error): "what is to be uploaded cannot be opened: \(error)"
        case .createURLRequestFailed(let error): "making the request failed: \(error)"
        case .explicitlyCancelled: "the request was cancelled"
        case .downloadedFileMoveFailed(let error, _, let destination):
            "the download could not be moved to \(destination.path): \(error)"
        case .invalidURL(let url): "\"\(Redaction.url("\(url)"))\" is not a URL"
        case .multipartEncodingFailed(let reason): "making the multipart body failed: \(reason)"
        case .parameterEncoderFailed(let reason): "encoding the parameters failed: \(reason)"
        case .parameterEncodingFailed(let reason): "encoding the parameters failed: \(reason)"
        case .requestAdaptationFailed(let error): "adapting the request failed: \(error)"
        case .requestRetryFailed(let retryError, let originalError):
            "retrying failed: \(retryError); the request itself had failed: \(originalError)"
        case .responseSerializationFailed(let reason): "reading the body failed: \(reason)"
        case .responseValidationFailed(let reason): "the response was not accepted: \(reason)"
        case .serverTrustEvaluationFailed(let reason): "the server was refused: \(reason)"
        case .sessionDeinitialized: "the session went while the request ran; keep it as long as its requests"
        case .sessionInvalidated(let error): "the session was invalidated" + (error.map { ": \($0)" } ?? "")
        case .sessionTaskFailed(let error): "the transfer failed: \(error)"
        case .urlRequestValidationFailed(let reason): "the request cannot be sent: \(reason)"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// What ``description`` shows, for `dump`: a URL or a body that is not sent may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: ["error": description]) }
}

extension Error {
    /// The error as it is, or as the cause of `.createURLRequestFailed`.
    var asRequestCreationError: SessionError { self as? SessionError ?? .createURLRequestFailed(error: self) }
}
