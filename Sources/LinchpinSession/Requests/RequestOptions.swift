internal import Foundation

/// What a request was asked for beside its URL request.
final class RequestOptions: Sendable {
    /// Nil leaves them to the session.
    let timeouts: Timeouts?
    let interceptor: (any RequestInterceptor)?
    /// Whether there is one.
    let hasInterceptor: Bool
    /// Whether the URL request is a GET of a URL and nothing else, before an interceptor has seen it.
    let isPlain: Bool
    /// Whether the request starts with its first response handler; nil leaves that to the session.
    let startsImmediately: Bool?
    /// Whether the response may come to rest for as long as it likes, and so needs a connection that no other request
    /// keeps going: libcurl 7.88 takes what comes for a stream of HTTP/2 that rests, up to 32 MiB.
    let needsOwnConnection: Bool
    /// The file that is sent in the place of the URL request's own body; for streams only.
    let bodyFile: URL?

    /// Nothing, as most requests.
    static let none = RequestOptions()
    static let plain = RequestOptions(isPlain: true)

    init(
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        isPlain: Bool = false,
        startsImmediately: Bool? = nil,
        needsOwnConnection: Bool = false,
        bodyFile: URL? = nil
    ) {
        self.timeouts = timeouts
        self.interceptor = interceptor
        hasInterceptor = interceptor != nil
        self.isPlain = isPlain
        self.startsImmediately = startsImmediately
        self.needsOwnConnection = needsOwnConnection
        self.bodyFile = bodyFile
    }
}
