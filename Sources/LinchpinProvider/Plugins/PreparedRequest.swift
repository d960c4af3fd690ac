internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// A request that is about to be sent.
struct PreparedRequest: RequestType {
    let request: URLRequest?
    /// The session's fields.
    let configuredHeaders: HTTPHeaders
    /// In lower case.
    let secretNames: Set<String>

    var sessionHeaders: [String: String] { configuredHeaders.dictionary }

    var redactedHeaders: HTTPHeaders { Redaction.headers(sentHeaders, secretNames: secretNames) }
}

extension PreparedRequest: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
