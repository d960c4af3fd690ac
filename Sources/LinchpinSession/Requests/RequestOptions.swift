/// What a request was asked for beside its URL request.
struct RequestOptions: Sendable {
    var timeouts = Timeouts()
    var interceptor: (any RequestInterceptor)?
    /// Whether the request starts with its first response handler; nil leaves that to the session.
    var startsImmediately: Bool?
}
