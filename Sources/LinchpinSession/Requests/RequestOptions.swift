internal import Foundation

/// What a request was asked for beside its URL request.
struct RequestOptions: Sendable {
    var timeouts = Timeouts()
    var interceptor: (any RequestInterceptor)?
    /// Whether the request starts with its first response handler; nil leaves that to the session.
    var startsImmediately: Bool?
    /// Whether the response may come to rest for as long as it likes, and so needs a connection that no other request
    /// keeps going: libcurl 7.88 takes what comes for a stream of HTTP/2 that rests, up to 32 MiB.
    var needsOwnConnection = false
    /// The file that is sent in the place of the URL request's own body; for streams only.
    var bodyFile: URL?
}
