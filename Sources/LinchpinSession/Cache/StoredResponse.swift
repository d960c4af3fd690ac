internal import Foundation
internal import FoundationNetworking

/// A response that was kept, without its body (RFC 9111 §3).
struct StoredResponse: Codable, Sendable {
    /// The URL without its fragment.
    let url: String
    let status: Int
    private(set) var fields: [Field]
    /// The state of trust under which it came.
    let trust: String
    /// The only session that may use it; nil for any.
    let session: UUID?
    /// What the request said in the fields that the response varies by; empty for nothing.
    private(set) var varying: [String: String]
    /// The request's fields that may be credentials.
    let credentials: [String: String]
    /// When the request was sent and the response was there.
    private(set) var requestTime: Date
    private(set) var responseTime: Date

    struct Field: Codable, Sendable {
        let name: String
        let value: String
    }

    /// Statuses that may be kept at all, all of which may have a life of a guessed length (RFC 9110 §15.1).
    private static let keptStatuses: Set<Int> = [200, 203, 204, 300, 404, 405, 410, 414, 501]

    /// - Returns: nil for what may not be kept, or is of no use.
    init?(_ head: ResponseHead, to request: CacheableRequest, requestTime: Date, responseTime: Date) {
        let directives = CacheDirectives(head.headers)
        guard Self.keptStatuses.contains(head.statusCode), !directives.has("no-store") else { return nil }
        let names = Self.varyingNames(head.headers)
        // Which cookies libcurl has sent is not known here.
        guard !names.contains("*"), !names.contains("cookie") else { return nil }
        url = request.key
        status = head.statusCode
        fields = head.headers.map { Field(name: $0.name, value: $0.value) }
        trust = request.trust.state
        credentials = request.credentials
        let isPersonal =
            directives.has("private") || !credentials.isEmpty || head.headers.value(for: "Set-Cookie") != nil
            || request.usesCookies && !directives.has("public")
        session = isPersonal || request.trust.isOfOneSession ? request.session : nil
        varying = Dictionary(uniqueKeysWithValues: names.map { ($0, request.value($0)) })
        self.requestTime = requestTime
        self.responseTime = responseTime
        guard lifetime > 0 || validator != nil else { return nil }
    }

    var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        for field in fields { headers.append(name: field.name, value: field.value) }
        return headers
    }

    private static func varyingNames(_ headers: HTTPHeaders) -> Set<String> {
        Set(
            (headers.value(for: "Vary") ?? "").split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces).lowercased()
            }
        )
    }

    /// Whether it may be used for the request at all.
    func answers(_ request: CacheableRequest) -> Bool {
        trust == request.trust.state && (session == nil || session == request.session)
            && credentials == request.credentials && varying.allSatisfy { $0.value == request.value($0.key) }
    }

    /// The fields that a validation of it carries; nil where it cannot be validated (RFC 9110 §13.1).
    var validator: [String: String]? {
        var fields: [String: String] = [:]
        fields["If-None-Match"] = headers.value(for: "ETag")
        fields["If-Modified-Since"] = headers.value(for: "Last-Modified")
        return fields.isEmpty ? nil : fields
    }

    /// Whether it may be used without asking the server (RFC 9111 §4.2, §5.2.1).
    func isFresh(for request: CacheDirectives, at now: Date) -> Bool {
        let directives = CacheDirectives(headers)
        // A clock that was set back says nothing about an age.
        guard now >= responseTime, !directives.has("no-cache"), !request.has("no-cache") else { return false }
        let age = age(at: now)
        if let most = request.seconds("max-age"), age >= most { return false }
        return age + (request.seconds("min-fresh") ?? 0) < lifetime
    }

    /// RFC 9111 §4.2.3.
    private func age(at now: Date) -> TimeInterval {
        let apparent = date.map { max(responseTime.timeIntervalSince($0), 0) } ?? 0
        let said = headers.values(for: "Age").first.flatMap { TimeInterval($0) } ?? 0
        let corrected = max(said, 0) + max(responseTime.timeIntervalSince(requestTime), 0)
        return max(apparent, corrected) + now.timeIntervalSince(responseTime)
    }

    /// RFC 9111 §4.2.1, and where nothing is said a tenth of the time since the last change (§4.2.2), a day at most.
    private var lifetime: TimeInterval {
        if let seconds = CacheDirectives(headers).seconds("max-age") { return seconds }
        let date = date ?? responseTime
        if let expires = headers.value(for: "Expires") {
            return Date(httpDate: expires).map { max($0.timeIntervalSince(date), 0) } ?? 0
        }
        guard let changed = headers.value(for: "Last-Modified").flatMap({ Date(httpDate: $0) }) else { return 0 }
        return min(max(date.timeIntervalSince(changed) / 10, 0), 86_400)
    }

    private var date: Date? { headers.value(for: "Date").flatMap { Date(httpDate: $0) } }

    /// Takes over what a 304 says (RFC 9111 §3.2).
    mutating func update(from head: ResponseHead, to request: CacheableRequest, requestTime: Date, responseTime: Date) {
        // The body is the old one, decoded: its description stays.
        let kept: Set<String> = ["content-length", "content-encoding", "content-type", "content-range", "connection"]
        let new = head.headers.filter { !kept.contains($0.name.lowercased()) }
        let names = Set(new.map { $0.name.lowercased() })
        fields.removeAll { names.contains($0.name.lowercased()) }
        fields += new.map { Field(name: $0.name, value: $0.value) }
        self.requestTime = requestTime
        self.responseTime = responseTime
        for name in Self.varyingNames(headers) { varying[name] = request.value(name) }
    }

    /// The response with the body.
    func outcome(_ body: Data, request: URLRequest) -> ExchangeOutcome? {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: "HTTP/1.1",
                headerFields: headers.dictionary
            )
        else { return nil }
        var outcome = ExchangeOutcome(request: request, head: ResponseHead(response: response, headers: headers))
        outcome.data = body
        return outcome
    }
}
