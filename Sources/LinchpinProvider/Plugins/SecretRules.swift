internal import Foundation
internal import LinchpinSession

/// What of an exchange is not written down, in a recording or a log.
///
/// Always left out are user information and fragment of URLs, and the values of credentials' fields; of recordings the
/// body of the request too. A secret in a path stays, and so does one in a body that is neither JSON nor a form. A
/// replay needs the same rules as the recording, since it compares what is left.
public struct SecretRules: Sendable {
    /// Names of more fields whose values are left out; none by default.
    public var headers: Set<String> = []
    /// Names of query parameters whose values are kept; none by default. Requests that differ in others alone are
    /// answered in the order of the recording.
    public var visibleQueryNames: Set<String> = []
    /// Keys of JSON and of forms, compared without regard to case, `_` and `-`, whose values are left out at every depth;
    /// names of tokens and passwords by default.
    public var bodyKeys: Set<String> = [
        "access_key", "access_token", "api_key", "api_secret", "api_token", "app_secret", "auth_token", "authorization",
        "bearer_token", "client_assertion", "client_secret", "code_verifier", "cookie", "credentials", "csrf_token",
        "current_password", "id_token", "jwt", "new_password", "old_password", "otp", "passcode", "passphrase",
        "passwd", "password", "password_confirmation", "private_key", "pwd", "refresh_token", "secret",
        "secret_access_key", "secret_key", "session", "session_id", "session_key", "session_token", "token",
        "user_token", "xsrf_token",
    ]

    /// Makes rules of the defaults.
    public init() {}
}

extension SecretRules {
    func fields(_ fields: [String: String]) -> [RecordedExchange.Field] {
        let fields = HTTPHeaders(fields)
        let hidden = Redaction.headers(fields, secretNames: Set(headers.map { $0.lowercased() }))
        return zip(fields, hidden).map { field, hidden in
            let value =
                switch field.name.lowercased() {
                case _ where hidden.value == Redaction.placeholder: hidden.value
                case "location", "content-location", "referer": url(in: field.value)
                case "link": links(field.value)
                default: hidden.value
                }
            return RecordedExchange.Field(name: field.name, value: value)
        }
    }

    private func url(in text: String) -> String { URL(string: text).map(url) ?? Redaction.placeholder }

    /// A `Link` field (RFC 8288 §3), whose URLs are between angle brackets.
    private func links(_ value: String) -> String {
        var shown = ""
        var rest = value[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            shown += rest[...open] + url(in: String(rest[rest.index(after: open)..<close])) + ">"
            rest = rest[rest.index(after: close)...]
        }
        return shown + rest
    }

    /// The URL, with the values that may be seen in their places.
    func url(_ url: URL) -> String {
        let hidden = Redaction.url(url.absoluteString)
        let shown = url.absoluteString.prefix { $0 != "#" }
        guard let hiddenQuery = hidden.split(separator: "?", maxSplits: 1).dropFirst().first,
            let shownQuery = shown.split(separator: "?", maxSplits: 1).dropFirst().first
        else { return hidden }
        let items = zip(shownQuery.split(separator: "&"), hiddenQuery.split(separator: "&")).map { shown, hidden in
            let name = shown.prefix { $0 != "=" }.removingPercentEncoding ?? ""
            return String(visibleQueryNames.contains(name) ? shown : hidden)
        }
        return hidden.prefix { $0 != "?" } + "?" + items.joined(separator: "&")
    }

    /// The body, with the values of secret keys replaced if it is JSON or a form.
    ///
    /// - Parameters:
    ///   - type: its Content-Type.
    func body(_ body: Data, type: String?) -> Data {
        let isForm = type?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
        return isForm ? form(body) : json(body)
    }

    private func json(_ body: Data) -> Data {
        let keys = Set(bodyKeys.map(Self.plain))
        guard let json = try? JSONSerialization.jsonObject(with: body) else { return body }
        var isChanged = false
        let clean = Self.clean(json, keys, &isChanged)
        guard isChanged else { return body }
        // What came out of JSON goes back into it; if not, nothing of it is kept.
        return (try? JSONSerialization.data(withJSONObject: clean, options: .sortedKeys)) ?? Data()
    }

    /// The body of a form, with the values of secret keys replaced; of `user[password]`, `user.password` and
    /// `password[0]` every part counts, as what is below a key of JSON does.
    private func form(_ body: Data) -> Data {
        let keys = Set(bodyKeys.map(Self.plain))
        let items = String(decoding: body, as: UTF8.self).split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            let parts = (name.removingPercentEncoding ?? String(name)).split { "[].".contains($0) }
            return parts.contains { keys.contains(Self.plain(String($0))) }
                ? "\(name)=\(Redaction.placeholder)" : String(item)
        }
        return Data(items.joined(separator: "&").utf8)
    }

    /// A key as it is compared: `accessToken`, `access_token` and `Access-Token` are one.
    private static func plain(_ key: String) -> String { key.lowercased().filter { $0 != "_" && $0 != "-" } }

    private static func clean(_ json: Any, _ keys: Set<String>, _ isChanged: inout Bool) -> Any {
        if let array = json as? [Any] { return array.map { clean($0, keys, &isChanged) } }
        guard let dictionary = json as? [String: Any] else { return json }
        var result: [String: Any] = [:]
        for (key, value) in dictionary {
            let isSecret = keys.contains(plain(key)) && !(value is NSNull)
            if isSecret { isChanged = true }
            result[key] = isSecret ? Redaction.placeholder : clean(value, keys, &isChanged)
        }
        return result
    }
}
