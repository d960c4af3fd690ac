/// Where a session keeps cookies (RFC 6265).
///
/// A request whose `httpShouldHandleCookies` is false neither sends nor stores any, whatever is said here.
public enum CookieStorage: Sendable {
    /// In a jar of the session's own that goes with it; the default.
    case memory
    /// In the caller's jar, which may have a file. Sessions that are given the same jar share its cookies.
    case jar(CookieJar)
    /// Nowhere: `Set-Cookie` is only a field of the response.
    case none

    /// The jar, where it has been made.
    var jar: CookieJar? {
        if case .jar(let jar) = self { jar } else { nil }
    }
}

extension Session {
    /// The session's cookies; nil where it keeps none.
    public var cookieJar: CookieJar? { configuration.cookies.jar }
}

extension SessionConfiguration {
    /// The configuration as one session uses it: with a jar of its own where it asks for one.
    var forOneSession: SessionConfiguration {
        guard case .memory = cookies else { return self }
        var configuration = self
        configuration.cookies = .jar(CookieJar())
        return configuration
    }
}
