internal import Foundation
internal import FoundationNetworking

/// A cookie in the form in which libcurl tells and takes it: a line of a Netscape cookie file.
struct CookieLine: Hashable {
    var domain: String
    var matchesSubdomains: Bool
    var path: String
    var isSecure: Bool
    /// Seconds since 1970; 0 for a cookie that goes with the session.
    var expires: Int64
    var name: String
    var value: String
    var isHTTPOnly: Bool

    private static let httpOnlyPrefix = "#HttpOnly_"

    /// Reads a line; nil for a comment and for what is no cookie.
    init?(_ line: Substring) {
        isHTTPOnly = line.hasPrefix(Self.httpOnlyPrefix)
        let text = isHTTPOnly ? line.dropFirst(Self.httpOnlyPrefix.count) : line
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        // A line without the last field has an empty value.
        guard !text.hasPrefix("#"), (6...7).contains(fields.count), let expires = Int64(fields[4]) else { return nil }
        domain = fields[0]
        matchesSubdomains = fields[1] == "TRUE"
        path = fields[2]
        isSecure = fields[3] == "TRUE"
        self.expires = expires
        name = fields[5]
        value = fields.count > 6 ? fields[6] : ""
    }

    /// - Throws: ``CookieError`` for a cookie that is no line.
    init(_ cookie: HTTPCookie) throws(CookieError) {
        domain = cookie.domain
        matchesSubdomains = cookie.domain.hasPrefix(".")
        path = cookie.path
        isSecure = cookie.isSecure
        // A date before 1970 is in the past like any other.
        expires = cookie.expiresDate.map { max(1, Int64($0.timeIntervalSince1970.rounded(.up))) } ?? 0
        name = cookie.name
        value = cookie.value
        isHTTPOnly = cookie.isHTTPOnly
        for text in [domain, path, name, value] where text.unicodeScalars.contains(where: { $0.value < 0x20 }) {
            throw CookieError(reason: "the cookie \(cookie.name.debugDescription) has a control character")
        }
        guard !name.isEmpty, !domain.isEmpty, !domain.hasPrefix("#") else {
            throw CookieError(reason: "a cookie needs a name and a domain")
        }
    }

    /// The line, without its end.
    var text: String {
        let fields = [
            domain, matchesSubdomains ? "TRUE" : "FALSE", path, isSecure ? "TRUE" : "FALSE", "\(expires)", name, value,
        ]
        return (isHTTPOnly ? Self.httpOnlyPrefix : "") + fields.joined(separator: "\t")
    }

    /// The cookie as Foundation has it.
    var cookie: HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .domain: domain, .path: path, .name: name, .value: value,
        ]
        if isSecure { properties[.secure] = "TRUE" }
        if expires > 0 { properties[.expires] = Date(timeIntervalSince1970: TimeInterval(expires)) }
        if isHTTPOnly { properties[HTTPCookiePropertyKey(rawValue: "HttpOnly")] = "TRUE" }
        return HTTPCookie(properties: properties)
    }

    /// Whether its time was up at `now`, in seconds since 1970.
    func hasExpired(at now: Int64) -> Bool { expires != 0 && expires <= now }
}
