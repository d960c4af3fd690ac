/// One field of a header section (RFC 9110 §5).
public struct HTTPHeader: Hashable, Sendable {
    /// The field's name; compared without regard to case.
    public let name: String
    /// The field's value.
    public let value: String

    /// Makes a field; it is checked when it is sent.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Whether name and value may be sent: the name a token, the value without CR, LF and NUL (RFC 9110 §5.5, §5.6.2).
    ///
    /// A line break in either would make a second field, or a second request, out of it.
    package var isSendable: Bool {
        name.isToken && value.utf8.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
    }
}

extension HTTPHeader: CustomStringConvertible, CustomReflectable {
    /// Name and value as they are sent; the value of a credential is not shown.
    public var description: String {
        if Self.isSecret(name) { return "\(name): \(Redaction.placeholder)" }
        return "\(name): \(Redaction.isURL(name) ? Redaction.url(value) : value)"
    }

    /// What ``description`` shows, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }

    /// Whether a field of this name carries credentials, which no log shows.
    package static func isSecret(_ name: String) -> Bool { secretNames.contains(name.lowercased()) }

    private static let secretNames: Set<String> = [
        "api-key", "apikey", "authentication-info", "authorization", "cookie", "cookie2", "private-token",
        "proxy-authentication-info", "proxy-authorization", "set-cookie", "set-cookie2", "x-access-token",
        "x-amz-security-token", "x-api-key", "x-apikey", "x-auth-token", "x-csrf-token", "x-goog-api-key",
        "x-id-token", "x-refresh-token", "x-session-token", "x-vault-token", "x-xsrf-token",
    ]
}

extension String {
    /// Whether the text is a token (RFC 9110 §5.6.2).
    var isToken: Bool {
        !utf8.isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
