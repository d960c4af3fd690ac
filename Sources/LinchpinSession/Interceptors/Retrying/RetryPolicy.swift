public import Foundation
internal import FoundationNetworking

/// Sends requests again that failed for what may pass, after a delay that grows.
///
/// A request is sent again when its method does no harm twice and the response's status or the transfer's failure is
/// one of the given. Never when the server was refused, whatever else is said: its certificates will be the same.
///
/// Like every retrier it is asked about errors only: a 503 is one where validation makes it so, or where no value can
/// be made of its body. A stream as the request's body is read once, and ends the second attempt with that error.
///
/// The delay before attempt n (from 0 for the first repetition) is `base` to the power n times `scale` seconds, of
/// which a random half is taken off, so that clients do not come back all at once: with the defaults 0.25 to 0.5
/// seconds, and then 0.5 to 1. A `Retry-After` (RFC 9110 §10.2.3) that is longer counts in its place.
open class RetryPolicy: RequestInterceptor {
    /// What of a transfer may fail and be tried again. The handshake's failures are not among it.
    public enum TransportFailure: Hashable, Sendable, CaseIterable {
        /// The host's name has no address.
        case cannotFindHost
        /// No connection could be made.
        case cannotConnect
        /// The connection was lost, or the body was shorter than announced.
        case connectionLost
        /// A time-out passed, except the one for the resource with all its attempts.
        case timedOut
    }

    /// How often a request is sent again, 2 times by default.
    public let retryLimit: UInt
    /// By how much the delay grows with each attempt.
    public let exponentialBackoffBase: UInt
    /// The first delay, in seconds.
    public let exponentialBackoffScale: Double
    /// Requests of other methods are not sent again.
    public let retryableHTTPMethods: Set<HTTPMethod>
    /// The statuses after which a request is sent again.
    public let retryableHTTPStatusCodes: Set<Int>
    /// The failures after which a request is sent again.
    public let retryableTransportFailures: Set<TransportFailure>
    /// The longest `Retry-After` that is waited for, in seconds. Where the server wants more, the request is not sent
    /// again: earlier would be against its word.
    public let maximumRetryAfter: TimeInterval
    private let random: @Sendable () -> Double

    /// The methods that do no harm twice: the idempotent ones of RFC 9110 §9.2.2, and QUERY.
    public static let defaultRetryableHTTPMethods: Set<HTTPMethod> = [
        .delete, .get, .head, .options, .put, .query, .trace,
    ]

    /// 408 Request Timeout, 429 Too Many Requests (RFC 6585 §4, which asks for it to be repeated later), 500, 502, 503
    /// and 504.
    public static let defaultRetryableHTTPStatusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: how often a request is sent again.
    ///   - exponentialBackoffBase: by how much the delay grows; at least 2.
    ///   - exponentialBackoffScale: the first delay in seconds; not negative.
    ///   - retryableHTTPMethods: the methods of which requests are sent again.
    ///   - retryableHTTPStatusCodes: the statuses after which they are.
    ///   - retryableTransportFailures: the failures after which they are; all by default.
    ///   - maximumRetryAfter: the longest `Retry-After` that is waited for, in seconds.
    ///   - random: a number from 0 up to 1 for each delay; 0 takes half of it off, 1 would take nothing.
    public init(
        retryLimit: UInt = 2,
        exponentialBackoffBase: UInt = 2,
        exponentialBackoffScale: Double = 0.5,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableTransportFailures: Set<TransportFailure> = Set(TransportFailure.allCases),
        maximumRetryAfter: TimeInterval = 60,
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        precondition(exponentialBackoffBase >= 2, "a delay that does not grow is no exponential back-off")
        precondition(exponentialBackoffScale >= 0, "a delay cannot be negative")
        self.retryLimit = retryLimit
        self.exponentialBackoffBase = exponentialBackoffBase
        self.exponentialBackoffScale = exponentialBackoffScale
        self.retryableHTTPMethods = retryableHTTPMethods
        self.retryableHTTPStatusCodes = retryableHTTPStatusCodes
        self.retryableTransportFailures = retryableTransportFailures
        self.maximumRetryAfter = maximumRetryAfter
        self.random = random
    }

    /// Says whether and when the request is sent again.
    open func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard request.retryCount < retryLimit, shouldRetry(request: request, dueTo: error) else {
            return completion(.doNotRetry)
        }
        let backoff = delay(beforeRetry: request.retryCount)
        let asked = request.latestOutcome?.headers.retryAfter(now: session.configuration.now()) ?? 0
        guard asked <= maximumRetryAfter else { return completion(.doNotRetry) }
        completion(.retryWithDelay(max(backoff, asked)))
    }

    /// Whether method and failure are such that the request may be sent again; its limit and `Retry-After` apart.
    open func shouldRetry(request: Request, dueTo error: any Error) -> Bool {
        guard let method = request.request?.httpMethod, retryableHTTPMethods.contains(HTTPMethod(rawValue: method))
        else { return false }
        guard let error = error as? SessionError, error.trustError == nil else { return false }
        if let status = request.response?.statusCode, retryableHTTPStatusCodes.contains(status) { return true }
        return TransportFailure(error).map(retryableTransportFailures.contains) ?? false
    }

    private func delay(beforeRetry number: Int) -> TimeInterval {
        let whole = pow(Double(exponentialBackoffBase), Double(number)) * exponentialBackoffScale
        return whole * (0.5 + min(max(random(), 0), 1) / 2)
    }
}

// Sendable: everything stored is immutable and Sendable; subclasses have to keep to that.
extension RetryPolicy: @unchecked Sendable {}

extension RetryPolicy.TransportFailure {
    /// The failure behind an error; nil for what trying again does not mend.
    init?(_ error: SessionError) {
        switch error.transportError?.code {
        case .cannotFindHost: self = .cannotFindHost
        case .cannotConnect: self = .cannotConnect
        case .connectionLost: self = .connectionLost
        case .timedOut(let kind, _) where kind != .resource: self = .timedOut
        default: return nil
        }
    }
}

/// Sends requests again whose connection was lost, and no others.
open class ConnectionLostRetryPolicy: RetryPolicy, @unchecked Sendable {
    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: how often a request is sent again.
    ///   - exponentialBackoffBase: by how much the delay grows; at least 2.
    ///   - exponentialBackoffScale: the first delay in seconds; not negative.
    ///   - retryableHTTPMethods: the methods of which requests are sent again.
    public init(
        retryLimit: UInt = 2,
        exponentialBackoffBase: UInt = 2,
        exponentialBackoffScale: Double = 0.5,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods
    ) {
        super.init(
            retryLimit: retryLimit,
            exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            retryableHTTPStatusCodes: [],
            retryableTransportFailures: [.connectionLost]
        )
    }
}

extension RequestInterceptor where Self == RetryPolicy {
    /// A ``RetryPolicy`` of the defaults.
    public static var retryPolicy: RetryPolicy { RetryPolicy() }

    /// A ``RetryPolicy``; what is not said is as by default.
    public static func retryPolicy(
        retryLimit: UInt = 2,
        exponentialBackoffBase: UInt = 2,
        exponentialBackoffScale: Double = 0.5,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableTransportFailures: Set<RetryPolicy.TransportFailure> = Set(RetryPolicy.TransportFailure.allCases)
    ) -> RetryPolicy {
        RetryPolicy(
            retryLimit: retryLimit,
            exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            retryableHTTPStatusCodes: retryableHTTPStatusCodes,
            retryableTransportFailures: retryableTransportFailures
        )
    }
}

extension RequestInterceptor where Self == ConnectionLostRetryPolicy {
    /// A ``ConnectionLostRetryPolicy`` of the defaults.
    public static var connectionLostRetryPolicy: ConnectionLostRetryPolicy { ConnectionLostRetryPolicy() }
}
