public import Foundation

/// How a transfer failed, with libcurl's own words.
public struct TransportError: Error, Sendable {
    /// What kind of failure this is.
    public enum Code: Hashable, Sendable {
        /// The host's name has no address.
        case cannotFindHost
        /// No connection could be made.
        case cannotConnect
        /// The TLS handshake failed for another reason than the server's certificate.
        case secureConnectionFailed
        /// One of the time-outs passed; which one, and its length in seconds.
        case timedOut(Timeouts.Kind, after: TimeInterval)
        /// The connection or the HTTP/2 stream was lost or reset, or the body was shorter than announced.
        case connectionLost
        /// The request's body could not be read, or not be sent a second time.
        case bodyUnreadable
        /// The file of a download could not be written.
        case fileUnwritable
        /// What the server sent is not HTTP.
        case badServerResponse
        /// The response has a larger head or body than ``ResponseLimits`` or libcurl allows.
        case responseTooLarge
        /// The body is not encoded as its `Content-Encoding` says, or in a way that is not known.
        case undecodableBody
        /// The proxy wants credentials, or others than it was given.
        case proxyAuthenticationRequired
        /// The proxy does not make the connection that it was asked for.
        case proxyRefused
        /// There were more redirects than the session follows.
        case tooManyRedirects
        /// A redirect leads where the session does not go: another scheme, or from https to http.
        case redirectRefused
        /// The request's cache policy wants a response of the cache, which has none.
        case notCached
        /// Any other result of libcurl.
        case other
    }

    /// What kind of failure this is.
    public let code: Code
    /// libcurl's number for it (libcurl-errors(3)); nil when the session itself ended the transfer.
    public let curlCode: Int?
    /// What libcurl, OpenSSL or the session says about it.
    public let message: String
}

extension TransportError: CustomStringConvertible, LocalizedError {
    /// The message, with libcurl's number.
    public var description: String { message + (curlCode.map { " (libcurl error \($0))" } ?? "") }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
