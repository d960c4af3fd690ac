internal import Foundation

/// What a request was asked for beside its URL request.
struct RequestOptions: Sendable {
    var timeouts = Timeouts()
    var interceptor: (any RequestInterceptor)?
    /// Whether the request starts with its first response handler; nil leaves that to the session.
    var startsImmediately: Bool?
    /// The file that is sent in the place of the URL request's own body; for streams only.
    var bodyFile: URL?
}
