internal import Foundation
internal import FoundationNetworking

/// The cookies of a task: those of the URL session's storage, which only Foundation's own transport would use.
struct TaskCookies: Sendable {
    private let storage: HTTPCookieStorage?
    private let sends: Bool
    private let accepts: Bool

    init(_ configuration: URLSessionConfiguration, for request: URLRequest) {
        storage = configuration.httpCookieStorage
        sends = configuration.httpShouldSetCookies && request.httpShouldHandleCookies
        accepts = configuration.httpCookieAcceptPolicy != .never && request.httpShouldHandleCookies
    }

    /// Takes the storage's cookies out of a request's field, in which Foundation puts every one of the host when it
    /// makes a task, and which a redirect keeps. A field of the caller's own stays.
    func remove(from request: inout URLRequest) {
        guard let storage, let field = request.value(forHTTPHeaderField: "Cookie") else { return }
        let stored = Set((storage.cookies ?? []).map { "\($0.name)=\($0.value)" })
        let sent = field.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard sent.allSatisfy(stored.contains) else { return }
        request.setValue(nil, forHTTPHeaderField: "Cookie")
    }

    /// Puts the storage's cookies for the request's URL into its field; where there is none, leaves it.
    func apply(to request: inout URLRequest) {
        guard sends, let url = request.url, let cookies = storage?.cookies(for: url) else { return }
        let fitting = cookies.filter { $0.fits(url) }.sorted { $0.path.utf8.count > $1.path.utf8.count }
        guard !fitting.isEmpty, let field = HTTPCookie.requestHeaderFields(with: fitting)["Cookie"] else { return }
        request.setValue(field, forHTTPHeaderField: "Cookie")
    }

    /// Keeps the cookies that a response sets.
    func store(from response: HTTPURLResponse) {
        guard accepts, let storage, let url = response.url,
            let field = response.value(forHTTPHeaderField: "Set-Cookie")
        else { return }
        let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: url)
        storage.setCookies(cookies, for: url, mainDocumentURL: nil)
    }
}

extension HTTPCookie {
    /// Whether the cookie, whose domain fits, may go to the URL (RFC 6265 §5.4). The storage looks at the host only.
    fileprivate func fits(_ url: URL) -> Bool {
        guard !isSecure || url.scheme?.lowercased() == "https" else { return false }
        let target = url.path.isEmpty ? "/" : url.path
        return target == path || target.hasPrefix(path.hasSuffix("/") ? path : path + "/")
    }
}
