public import Foundation
public import FoundationNetworking
internal import LinchpinSession

/// Signs requests with a key that the server has too (HMAC-SHA-256, RFC 2104).
///
/// Three fields are set, over those that are there: `X-Date`, the time in UTC such as `20300131T120000Z`;
/// `X-Content-SHA256`, the hash of the body; and `Authorization`, which is
/// `HMAC-SHA256 Credential=<key id>, SignedHeaders=<names>, Signature=<hexadecimal digits>`. What is signed are these
/// lines, joined by line feeds: method; path as it is sent; parameters of the query, sorted; `name:value` of each signed
/// field, sorted, names in lower case, and white space within a value as one space; those names joined by semicolons; the
/// hash of the body. The host is always among the fields, as it is sent: without a port that is the scheme's own.
///
/// Put it behind every plugin that changes requests. A provider sends no request that cannot be signed, such as an
/// upload from a file. A redirect to another address is not signed anew.
public struct RequestSigningPlugin: PluginType {
    /// Tells the server which key signed.
    public let keyID: String
    /// Names of fields that are signed where a request has them, beside `Host` and the two that are set.
    public let signedHeaders: Set<String>
    private let key: Data
    private let now: @Sendable () -> Date

    /// Makes a plugin.
    ///
    /// - Parameters:
    ///   - keyID: tells the server which key signed.
    ///   - key: the key; with an empty one nothing is sent.
    ///   - signedHeaders: names of fields that are signed where a request has them, `Content-Type` by default.
    ///   - now: the clock, the system's by default.
    public init(
        keyID: String,
        key: Data,
        signedHeaders: Set<String> = ["Content-Type"],
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.keyID = keyID
        self.key = key
        self.signedHeaders = signedHeaders
        self.now = now
    }

    /// The signed request; as it is, if it cannot be signed.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        let call = CallIdentity(hasBodyOutsideRequest: target.task.hasBodyOutsideRequest)
        return (try? prepare(request, target: target, call: call)) ?? request
    }

    private static func text(of date: Date) -> String {
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        return date.formatted(style)
    }
}

extension RequestSigningPlugin: CallPreparing {
    func prepare(_ request: URLRequest, target: any TargetType, call: CallIdentity) throws(SessionError) -> URLRequest {
        let refusal = SessionError.urlRequestValidationFailed(reason: .invalidHeader(name: "Authorization"))
        var request = request
        request.setValue(Self.text(of: now()), forHTTPHeaderField: "X-Date")
        request.setValue(nil, forHTTPHeaderField: "Authorization")
        // The endpoint's task counts, which an endpoint closure may have replaced.
        guard !call.hasBodyOutsideRequest, request.httpBodyStream == nil,
            let digest = RequestDigest.sha256(request.httpBody ?? Data())
        else { throw refusal }
        request.setValue(digest, forHTTPHeaderField: "X-Content-SHA256")
        let names = signedHeaders.union(["X-Date", "X-Content-SHA256"])
        guard let canonical = CanonicalRequest(request, headers: names),
            let signature = RequestDigest.hmacSHA256(Data(canonical.text.utf8), key: key)
        else { throw refusal }
        let value = "HMAC-SHA256 Credential=\(keyID), SignedHeaders=\(canonical.signedHeaders), Signature=\(signature)"
        request.setValue(value, forHTTPHeaderField: "Authorization")
        guard request.value(forHTTPHeaderField: "Authorization") != nil else { throw refusal }
        return request
    }
}

extension RequestSigningPlugin: CustomStringConvertible, CustomReflectable {
    /// The key's name, not the key.
    public var description: String { "RequestSigningPlugin(\(keyID))" }

    /// The same as ``description``, for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["plugin": description]) }
}
