internal import FoundationNetworking
internal import Synchronization

/// A GET of a URL's text, with nothing else to it.
struct PlainRequest: URLRequestConvertible {
    let text: String
    let recent: RecentRequests

    func asURLRequest() throws -> URLRequest { try recent.request(for: text) }
}

/// The URL requests that the last few texts were made into: clients ask for few URLs often, and Foundation takes long
/// over a URL. Who changes one changes a copy.
final class RecentRequests: Sendable {
    private struct Entries {
        var entries: [(text: String, request: URLRequest)] = []
        /// Which entry makes room for the next.
        var oldest = 0
    }

    private let guarded = Mutex(Entries())

    private static let mostEntries = 8

    /// - Throws: ``SessionError`` `.invalidURL`.
    func request(for text: String) throws -> URLRequest {
        if let known = guarded.withLock({ $0.entries.first { $0.text == text }?.request }) { return known }
        let request = try URLRequest(url: text, method: .get)
        guarded.withLock { guarded in
            if guarded.entries.count < Self.mostEntries {
                guarded.entries.append((text, request))
            } else {
                guarded.entries[guarded.oldest] = (text, request)
                guarded.oldest = (guarded.oldest + 1) % Self.mostEntries
            }
        }
        return request
    }
}
