internal import CLibcurl
internal import CLinchpin
public import Foundation
public import FoundationNetworking

/// The cookies of a session.
///
/// libcurl stores and matches them (RFC 6265): a host's cookie goes to that host, a domain's to the hosts below it,
/// never to another one, wherever redirects lead. Cookies for a public suffix such as `co.uk` or `github.io` are
/// refused by a libcurl that has libpsl, as Debian's has. Safe to use from any thread.
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.cookies = .jar(try CookieJar(file: URL(fileURLWithPath: "/var/lib/app/cookies")))
/// ```
public final class CookieJar: Sendable {
    /// The file that cookies were read from and ``save()`` writes; nil for a jar in memory.
    public let file: URL?
    /// What transfers of any thread share.
    let store = SharedStore(holdsCookies: true)

    /// An empty jar in memory.
    public init() { file = nil }

    /// A jar with a file, in the form that curl reads and writes too (a Netscape cookie file).
    ///
    /// Cookies that the server gave an expiry date are written by ``save()`` and when the jar goes.
    ///
    /// - Parameters:
    ///   - file: a file URL. Where there is no such file, the jar is empty.
    /// - Throws: ``CookieError`` for a file that is there and cannot be read. A line that is no cookie is passed over.
    public init(file: URL) throws(CookieError) {
        self.file = file
        guard let text = try CookieFile(url: file).read() else { return }
        for line in text.split(whereSeparator: \.isNewline) {
            if let cookie = CookieLine(line) { try tell(cookie.text) }
        }
    }

    deinit { try? save() }

    /// The cookies that are kept now, in no particular order, expired ones left out.
    public var cookies: [HTTPCookie] { lines.compactMap(\.cookie) }

    /// Keeps a cookie, in place of the one with the same name, domain and path.
    ///
    /// - Parameters:
    ///   - cookie: with a leading dot in its domain it goes to the hosts below that too. The caller answers for the
    ///     domain: it is not compared with any host.
    /// - Throws: ``CookieError`` for a cookie with a control character in it.
    public func set(_ cookie: HTTPCookie) throws(CookieError) { try tell(CookieLine(cookie).text) }

    /// Forgets the cookie with the same name, domain and path.
    ///
    /// - Throws: ``CookieError`` for a cookie with a control character in it.
    public func remove(_ cookie: HTTPCookie) throws(CookieError) {
        var line = try CookieLine(cookie)
        line.expires = 1
        try tell(line.text)
    }

    /// Forgets every cookie; the file is left as it is until ``save()``.
    public func removeAll() throws(CookieError) { try tell("ALL") }

    /// Writes the file anew, readable by its owner only; does nothing for a jar in memory.
    ///
    /// Cookies without an expiry date end with the session (RFC 6265 §5.3) and are not written.
    ///
    /// - Throws: ``CookieError`` where the file cannot be written; the old one is still there then.
    public func save() throws(CookieError) {
        guard let file else { return }
        let kept = lines.filter { $0.expires != 0 }.map(\.text).sorted()
        try CookieFile(url: file).write((["# Netscape HTTP Cookie File"] + kept).joined(separator: "\n") + "\n")
    }

    /// The jar's cookies as libcurl tells them.
    private var lines: [CookieLine] {
        guard let easy = try? handle() else { return [] }
        var list: UnsafeMutablePointer<curl_slist>?
        guard clinchpin_easy_getinfo_slist(easy.pointer, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
        defer { curl_slist_free_all(list) }
        let now = Int64(Date().timeIntervalSince1970)
        var lines: [CookieLine] = []
        var next = list
        while let item = next {
            if let line = CookieLine(Substring(String(cString: item.pointee.data))), !line.hasExpired(at: now) {
                lines.append(line)
            }
            next = item.pointee.next
        }
        return lines
    }

    /// Gives libcurl a cookie's line or a command (CURLOPT_COOKIELIST(3)).
    private func tell(_ text: String) throws(CookieError) {
        do {
            try handle().set(CURLOPT_COOKIELIST, text)
        } catch {
            throw CookieError(reason: "libcurl does not take the cookie: \(error.transportError.message)")
        }
    }

    /// A handle for one look at the jar, on whatever thread this is.
    private func handle() throws(CurlFailure) -> EasyHandle {
        let easy = try EasyHandle()
        try easy.use(store)
        return easy
    }
}
