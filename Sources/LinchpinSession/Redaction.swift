internal import Foundation

/// What may be shown of a request.
package enum Redaction {
    package static let placeholder = "<redacted>"

    /// The fields, with the values of credentials and of the named ones replaced, and URLs as ``url(_:)`` shows them.
    package static func headers(_ headers: HTTPHeaders, secretNames: Set<String>) -> HTTPHeaders {
        var shown = HTTPHeaders()
        for header in headers {
            let isSecret = HTTPHeader.isSecret(header.name) || secretNames.contains(header.name.lowercased())
            let value = isURL(header.name) ? url(header.value) : header.value
            shown.append(name: header.name, value: isSecret ? placeholder : value)
        }
        return shown
    }

    /// Whether a field's value is a URL, which may have secrets in it.
    package static func isURL(_ name: String) -> Bool { urlFields.contains(name.lowercased()) }

    private static let urlFields: Set<String> = [
        "location", "content-location", "referer", "link", "origin", "refresh",
    ]

    /// The URL without its user information and fragment, and with the values of its query replaced. It takes text,
    /// since what is shown may be no URL.
    package static func url(_ text: String) -> String {
        let shown = text.prefix { $0 != "#" }
        let parts = shown.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return withoutUserInformation(shown) }
        return withoutUserInformation(parts[0]) + "?" + formFields(parts[1])
    }

    /// Names and values as in a query or a form, with the values replaced.
    static func formFields(_ text: some StringProtocol) -> String {
        text.split(separator: "&").map { item in
            item.firstIndex(of: "=").map { "\(item[...$0])\(placeholder)" } ?? placeholder
        }
        .joined(separator: "&")
    }

    private static func withoutUserInformation(_ text: Substring) -> String {
        let scheme = text.range(of: "://")
        let start =
            scheme?.upperBound ?? (text.hasPrefix("//") ? text.index(text.startIndex, offsetBy: 2) : text.startIndex)
        let rest = text[start...]
        let authority = rest.prefix { $0 != "/" }
        if let at = authority.lastIndex(of: "@") { return "\(text[..<start])\(rest[rest.index(after: at)...])" }
        guard scheme != nil, !hasPort(authority) else { return String(text) }
        // What is no port is a password, with a character in it that should have been escaped.
        let shown = rest.lastIndex(of: "@").map { String(rest[rest.index(after: $0)...]) }
        return text[..<start] + (shown ?? placeholder)
    }

    /// Whether what stands for a port, if anything does, is one.
    private static func hasPort(_ authority: Substring) -> Bool {
        let afterAddress = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority
        guard let colon = afterAddress.lastIndex(of: ":") else { return true }
        return afterAddress[afterAddress.index(after: colon)...].allSatisfy { $0.isASCII && $0.isNumber }
    }
}
