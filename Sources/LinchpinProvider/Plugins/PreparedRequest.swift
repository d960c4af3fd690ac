internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession
internal import Synchronization

/// A request that is about to be sent.
struct PreparedRequest: RequestType {
    let request: URLRequest?
    /// The session's fields.
    let configuredHeaders: HTTPHeaders
    /// In lower case.
    let secretNames: Set<String>
    let credentials = CredentialSlot()

    var sessionHeaders: [String: String] { configuredHeaders.dictionary }

    func authenticate(with credential: URLCredential) -> PreparedRequest {
        credentials.put(credential)
        return self
    }

    var redactedHeaders: HTTPHeaders { Redaction.headers(sentHeaders, secretNames: secretNames) }
}

extension PreparedRequest: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// Where a plugin leaves what answers the server's challenges.
final class CredentialSlot: Sendable {
    private let kept = Mutex<URLCredential?>(nil)

    var credential: URLCredential? { kept.withLock { $0 } }

    func put(_ credential: URLCredential) { kept.withLock { $0 = credential } }
}
