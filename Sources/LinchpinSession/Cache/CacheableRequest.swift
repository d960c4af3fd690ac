internal import Foundation
internal import FoundationNetworking
internal import LinchpinTrust

/// What a cache has to know of a request.
struct CacheableRequest: Sendable {
    /// The URL without its fragment.
    let key: String
    let trust: TrustState
    let session: UUID
    let directives: CacheDirectives
    /// The fields that may be credentials, by their names in lower case.
    let credentials: [String: String]
    /// Whether it may carry cookies of the session's jar.
    let usesCookies: Bool
    private let fields: [String: String]

    /// - Parameters:
    ///   - request: as it is sent.
    /// - Returns: nil for one that no cache has to do with.
    init?(_ request: URLRequest, core: SessionCore) {
        guard request.httpMethod ?? "GET" == "GET", let url = request.url, url.user == nil,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let trust = TrustState(of: url, core)
        else { return nil }
        parts.fragment = nil
        var sent = request
        for header in core.configuration.headers where sent.value(forHTTPHeaderField: header.name) == nil {
            sent.setValue(header.value, forHTTPHeaderField: header.name)
        }
        let headers = sent.allHTTPHeaderFields ?? [:]
        let fields = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        let directives = CacheDirectives(HTTPHeaders(headers))
        // What asks for a part, or asks conditionally, is the caller's own business.
        let isConditional = [
            "range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range",
        ]
        .contains { fields[$0] != nil }
        guard let key = parts.string, !isConditional, !directives.has("no-store") else { return nil }
        self.key = key
        self.fields = fields
        self.directives = directives
        usesCookies = request.httpShouldHandleCookies
        self.trust = trust
        session = core.id
        credentials = fields.filter { !Redirect.mayGoAnywhere($0.key) }
    }

    func value(_ name: String) -> String { fields[name] ?? "" }
}

/// Which server was, or would be, believed.
struct TrustState: Equatable, Sendable {
    /// Equal under equal policies only.
    let state: String
    /// Whether it means nothing to another session: its entry belongs to this one's table.
    let isOfOneSession: Bool

    /// - Returns: nil where the host would be refused.
    init?(of url: URL, _ core: SessionCore) {
        guard let parsed = try? ParsedURL(url) else { return nil }
        guard let manager = core.manager else {
            let identity = core.configuration.clientIdentities?.identity(for: parsed.identity, port: parsed.port)
            self.init(
                state: parsed.isSecure ? "system" : "plain",
                isOfOneSession: identity != nil || core.configuration.leadsElsewhere
            )
            return
        }
        guard let policy = try? manager.policy(for: parsed.identity, port: parsed.port) else { return nil }
        guard parsed.isSecure || !policy.refusesCleartext else { return nil }
        // What was stored under another state of the table may have come from a server that is refused now.
        let kind = parsed.isSecure ? policy.tag : "plain"
        self.init(state: "\(policy.generation)/\(kind)", isOfOneSession: true)
    }

    private init(state: String, isOfOneSession: Bool) {
        self.state = state
        self.isOfOneSession = isOfOneSession
    }
}

extension SessionConfiguration {
    /// Whether the names of hosts may mean other servers than they do for other sessions.
    fileprivate var leadsElsewhere: Bool { unixSocketPath != nil || !resolution.overrides.isEmpty }
}
