internal import Foundation

/// The URLs that were asked for last, as libcurl reads them; lives on the loop's thread.
///
/// Clients ask for few URLs often. What is kept of one is never changed: libcurl copies it for each transfer.
struct RecentURLs {
    private var entries: [(url: URL, parsed: ParsedURL)] = []
    /// Which entry makes room for the next.
    private var oldest = 0

    private static let mostEntries = 8

    /// The way to the URL, or to another one of its origin, that was found last; nil where it was for another pool.
    func route(to url: ParsedURL, in pool: ConnectionPool) -> Route? {
        func isOfPool(_ known: ParsedURL) -> Bool { known.route?.poolNumber == pool.number }
        if isOfPool(url) { return url.route }
        url.route = entries.first { isOfPool($0.parsed) && $0.parsed.hasSameOrigin(as: url) }?.parsed.route
        return url.route
    }

    /// Lets go of the ways, and of who judged there.
    func forgetRoutes() { for entry in entries { entry.parsed.route = nil } }

    /// The URL's reading, known or new.
    ///
    /// - Throws: as ``ParsedURL/init(_:)`` does.
    mutating func parsed(_ url: URL) throws(SessionError) -> ParsedURL {
        if let known = entries.first(where: { $0.url == url }) { return known.parsed }
        let parsed = try ParsedURL(url)
        if entries.count < Self.mostEntries {
            entries.append((url, parsed))
        } else {
            entries[oldest] = (url, parsed)
            oldest = (oldest + 1) % Self.mostEntries
        }
        return parsed
    }
}
