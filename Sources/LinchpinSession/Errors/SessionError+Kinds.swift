public import Foundation

extension SessionError {
    /// Whether what is to be uploaded cannot be opened.
    public var isCreateUploadableError: Bool {
        if case .createUploadableFailed = self { true } else { false }
    }

    /// Whether making the URL request failed.
    public var isCreateURLRequestError: Bool {
        if case .createURLRequestFailed = self { true } else { false }
    }

    /// Whether a download could not be moved to its destination.
    public var isDownloadedFileMoveError: Bool {
        if case .downloadedFileMoveFailed = self { true } else { false }
    }

    /// Whether the caller cancelled.
    public var isExplicitlyCancelledError: Bool {
        if case .explicitlyCancelled = self { true } else { false }
    }

    /// Whether the text or the components were not a URL.
    public var isInvalidURLError: Bool {
        if case .invalidURL = self { true } else { false }
    }

    /// Whether a multipart body could not be made.
    public var isMultipartEncodingError: Bool {
        if case .multipartEncodingFailed = self { true } else { false }
    }

    /// Whether a ``ParameterEncoder`` failed.
    public var isParameterEncoderError: Bool {
        if case .parameterEncoderFailed = self { true } else { false }
    }

    /// Whether a ``ParameterEncoding`` failed.
    public var isParameterEncodingError: Bool {
        if case .parameterEncodingFailed = self { true } else { false }
    }

    /// Whether a ``RequestAdapter`` failed.
    public var isRequestAdaptationError: Bool {
        if case .requestAdaptationFailed = self { true } else { false }
    }

    /// Whether a ``RequestRetrier`` failed.
    public var isRequestRetryError: Bool {
        if case .requestRetryFailed = self { true } else { false }
    }

    /// Whether the body could not be made into what was asked for.
    public var isResponseSerializationError: Bool {
        if case .responseSerializationFailed = self { true } else { false }
    }

    /// Whether the response is not what the request accepts.
    public var isResponseValidationError: Bool {
        if case .responseValidationFailed = self { true } else { false }
    }

    /// Whether the server was refused.
    public var isServerTrustEvaluationError: Bool { trustError != nil }

    /// Whether the session went while the request ran.
    public var isSessionDeinitializedError: Bool {
        if case .sessionDeinitialized = self { true } else { false }
    }

    /// Whether the session was invalidated before the request ended.
    public var isSessionInvalidatedError: Bool {
        if case .sessionInvalidated = self { true } else { false }
    }

    /// Whether the transfer failed.
    public var isSessionTaskError: Bool {
        if case .sessionTaskFailed = self { true } else { false }
    }

    /// Whether the request cannot be sent as it is.
    public var isURLRequestValidationError: Bool {
        if case .urlRequestValidationFailed = self { true } else { false }
    }

    /// What was no URL; nil for every other error.
    public var urlConvertible: (any URLConvertible)? {
        if case .invalidURL(let url) = self { url } else { nil }
    }

    /// The file that a download could not be moved from; nil for every other error.
    public var sourceURL: URL? {
        if case .downloadedFileMoveFailed(_, let source, _) = self { source } else { nil }
    }

    /// The file that a download could not be moved to; nil for every other error.
    public var destinationURL: URL? {
        if case .downloadedFileMoveFailed(_, _, let destination) = self { destination } else { nil }
    }

    /// The file or the URL that making a multipart body failed at; nil for every other error.
    public var url: URL? {
        if case .multipartEncodingFailed(let reason) = self { reason.url } else { nil }
    }
}
