internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession
internal import LinchpinTrust

extension URLError {
    /// An error that names the URL, of which secrets are not shown: Foundation prints it with the error.
    init(_ code: Code, url: URL?, _ description: String, underlying: (any Error)? = nil) {
        var information: [String: Any] = [NSLocalizedDescriptionKey: description]
        if let url {
            information[NSURLErrorFailingURLErrorKey] = URL(string: Redaction.url(url.absoluteString))
        }
        information[NSUnderlyingErrorKey] = underlying
        self.init(code, userInfo: information)
    }

    /// The error that Apple's systems give where a session gives this one.
    init(_ error: any Error, url: URL?) {
        if let error = error as? URLError {
            self = error
        } else if let error = error as? SessionError {
            self.init(Code(error), url: url, error.description, underlying: error)
        } else {
            self.init(.cannotWriteToFile, url: url, "the download cannot be written: \(error)", underlying: error)
        }
    }
}

extension URLError.Code {
    /// The code for a session's error.
    init(_ error: SessionError) {
        switch error {
        case .explicitlyCancelled: self = .cancelled
        case .serverTrustEvaluationFailed(let reason): self = Self(reason)
        case .sessionTaskFailed(let cause as TransportError): self = Self(cause)
        case .sessionDeinitialized, .sessionInvalidated: self = .resourceUnavailable
        case .invalidURL: self = .badURL
        case .urlRequestValidationFailed(.unsupportedURL): self = .unsupportedURL
        case .urlRequestValidationFailed(.bodyDataInGETRequest): self = .dataLengthExceedsMaximum
        case .urlRequestValidationFailed: self = .badURL
        // The request did not fail because of the retrier.
        case .requestRetryFailed(_, let cause as SessionError): self = Self(cause)
        case .requestAdaptationFailed(let cause as URLError): self = cause.code
        default: self = .unknown
        }
    }

    private init(_ error: TransportError) {
        switch error.code {
        case .cannotFindHost: self = .cannotFindHost
        case .cannotConnect, .proxyRefused: self = .cannotConnectToHost
        case .proxyAuthenticationRequired: self = .userAuthenticationRequired
        case .secureConnectionFailed: self = .secureConnectionFailed
        case .timedOut: self = .timedOut
        case .connectionLost: self = .networkConnectionLost
        case .bodyUnreadable: self = .requestBodyStreamExhausted
        case .fileUnwritable: self = .cannotWriteToFile
        case .badServerResponse: self = .badServerResponse
        case .responseTooLarge: self = .dataLengthExceedsMaximum
        case .undecodableBody: self = .cannotDecodeContentData
        case .tooManyRedirects: self = .httpTooManyRedirects
        case .redirectRefused: self = .unsupportedURL
        default: self = .unknown
        }
    }

    /// Whatever is no question of dates, roots or plain HTTP, is a certificate that is not trusted.
    private init(_ error: TrustError) {
        switch error.code {
        case .expired: self = .serverCertificateHasBadDate
        case .notYetValid: self = .serverCertificateNotYetValid
        case .noAnchor: self = .serverCertificateHasUnknownRoot
        case .cleartextRefused: self = .appTransportSecurityRequiresSecureConnection
        default: self = .serverCertificateUntrusted
        }
    }
}
