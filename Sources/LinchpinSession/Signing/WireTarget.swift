package import Foundation

/// Where a request goes, in the words in which the server hears it: libcurl resolves `..` in a path, leaves a scheme's own
/// port out of `Host`, and writes a name outside ASCII as an A-label.
package struct WireTarget: Hashable, Sendable {
    /// The `Host` field of a request that has none of its own.
    package let host: String
    /// The path, percent-encoded; `/` where the URL has none.
    package let path: String
    /// The query, percent-encoded; nil where there is none.
    package let query: String?

    /// Nil for a URL that no request goes to.
    package init?(_ url: URL) {
        guard let parsed = try? ParsedURL(url), let host = parsed.hostField, let path = parsed.path else { return nil }
        self.host = host
        self.path = path
        query = parsed.query
    }
}
