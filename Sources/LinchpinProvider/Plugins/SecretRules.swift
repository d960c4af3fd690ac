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
    /// Keys of JSON and of forms, compared without regard to case, whose values are left out at every depth; names of
    /// tokens and passwords by default.
    public var bodyKeys: Set<String> = [
        "access_token", "accesstoken", "api_key", "apikey", "auth_token", "authtoken", "authorization",
        "client_secret", "clientsecret", "id_token", "idtoken", "jwt", "otp", "passphrase", "passwd", "password",
        "private_key", "privatekey", "pwd", "refresh_token", "refreshtoken", "secret", "session", "sessionid",
        "session_id", "token",
    ]

    /// Makes rules of the defaults.
    public init() {}
}

extension SecretRules {
    func fields(_ fields: [String: String]) -> [RecordedExchange.Field] {
        Redaction.headers(HTTPHeaders(fields), secretNames: Set(headers.map { $0.lowercased() })).map { header in
            let isURL = ["location", "content-location", "referer"].contains(header.name.lowercased())
            let value = isURL ? URL(string: header.value).map(url) ?? Redaction.placeholder : header.value
            return RecordedExchange.Field(name: header.name, value: value)
        }
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

    /// The body, with the values of secret keys replaced if it is JSON.
    func body(_ body: Data) -> Data {
        let keys = Set(bodyKeys.map { $0.lowercased() })
        guard let json = try? JSONSerialization.jsonObject(with: body) else { return body }
        var isChanged = false
        let clean = Self.clean(json, keys, &isChanged)
        guard isChanged else { return body }
        // What came out of JSON goes back into it; if not, nothing of it is kept.
        return (try? JSONSerialization.data(withJSONObject: clean, options: .sortedKeys)) ?? Data()
    }

    /// The body of a form, with the values of secret keys replaced; `user[password]` counts by its last part.
    func form(_ body: Data) -> Data {
        let keys = Set(bodyKeys.map { $0.lowercased() })
        let items = String(decoding: body, as: UTF8.self).split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            let parts = (name.removingPercentEncoding ?? String(name)).lowercased().split { "[]".contains($0) }
            return parts.last.map { keys.contains(String($0)) } == true
                ? "\(name)=\(Redaction.placeholder)" : String(item)
        }
        return Data(items.joined(separator: "&").utf8)
    }

    private static func clean(_ json: Any, _ keys: Set<String>, _ isChanged: inout Bool) -> Any {
        if let array = json as? [Any] { return array.map { clean($0, keys, &isChanged) } }
        guard let dictionary = json as? [String: Any] else { return json }
        var result: [String: Any] = [:]
        for (key, value) in dictionary {
            let isSecret = keys.contains(key.lowercased()) && !(value is NSNull)
            if isSecret { isChanged = true }
            result[key] = isSecret ? Redaction.placeholder : clean(value, keys, &isChanged)
        }
        return result
    }
}
