internal import Foundation
internal import FoundationNetworking

/// Where a redirect leads and what of the request goes there (RFC 9110 §15.4). No input or output: a value.
struct Redirect {
    let request: URLRequest
    /// Whether the request's body is sent again.
    let keepsBody: Bool
    let url: ParsedURL

    /// The statuses that are followed when they name a target.
    static func isRedirect(status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Fields that may go to another origin. All others, known or unknown, may carry credentials and do not.
    private static let fieldsForAnyOrigin: Set<String> = [
        "accept", "accept-encoding", "accept-language", "cache-control", "content-encoding", "content-language",
        "content-type", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "pragma",
        "range", "user-agent",
    ]

    /// The next request.
    ///
    /// - Parameters:
    ///   - target: what the Location field leads to, resolved against the request's URL.
    /// - Throws: ``SessionError`` when the session does not go there.
    init(
        from request: URLRequest,
        at source: ParsedURL,
        status: Int,
        target: String,
        allowsPlainHTTP: Bool
    ) throws(SessionError) {
        guard var next = URL(string: target) else { throw Self.refused("the redirect's target is not a URL") }
        if next.fragment == nil, let fragment = request.url?.fragment,
            let inherited = URL(string: "\(next.absoluteString)#\(fragment)")
        {
            next = inherited
        }
        // A server has no say in who the caller is elsewhere.
        if next.user != nil, var parts = URLComponents(url: next, resolvingAgainstBaseURL: true) {
            (parts.user, parts.password) = (nil, nil)
            guard let anonymous = parts.url else { throw Self.refused("the redirect's target is not a URL") }
            next = anonymous
        }
        let scheme = next.scheme?.lowercased()
        guard scheme == "https" || scheme == "http" else {
            throw Self.refused("the redirect leads to the scheme \(scheme ?? "none"); only https and http are followed")
        }
        url = try ParsedURL(next)
        try Self.checkScheme(from: source, to: url, allowsPlainHTTP: allowsPlainHTTP)
        var changed = request
        changed.url = next
        keepsBody = !Self.becomesGet(request.httpMethod ?? "GET", status)
        if !keepsBody {
            changed.httpMethod = "GET"
            changed.httpBody = nil
            for name in ["Content-Type", "Content-Encoding", "Content-Language", "Content-Length"] {
                changed.setValue(nil, forHTTPHeaderField: name)
            }
        }
        if !url.hasSameOrigin(as: source) {
            for name in (changed.allHTTPHeaderFields ?? [:]).keys
            where !Self.mayGoAnywhere(name) {
                changed.setValue(nil, forHTTPHeaderField: name)
            }
        }
        self.request = changed
    }

    private static func becomesGet(_ method: String, _ status: Int) -> Bool {
        switch status {
        case 303: method != "GET" && method != "HEAD"
        case 301, 302: method == "POST"
        default: false
        }
    }

    /// Whether a field may go to another origin.
    static func mayGoAnywhere(_ name: String) -> Bool { fieldsForAnyOrigin.contains(name.lowercased()) }

    static func checkScheme(
        from source: ParsedURL,
        to target: ParsedURL,
        allowsPlainHTTP: Bool
    ) throws(SessionError) {
        guard target.isSecure || !source.isSecure || allowsPlainHTTP else {
            throw refused("the redirect leads from https to plain http, which the configuration does not allow")
        }
    }

    static func refused(_ message: String) -> SessionError {
        .sessionTaskFailed(error: TransportError(code: .redirectRefused, curlCode: nil, message: message))
    }
}
