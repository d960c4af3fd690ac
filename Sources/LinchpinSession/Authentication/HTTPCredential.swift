internal import CLibcurl
internal import CLinchpin
internal import Foundation

/// A user's name and password, for Basic and Digest.
struct HTTPCredential: Sendable {
    let user: String
    let password: String

    /// - Throws: ``SessionError`` `.urlRequestValidationFailed(.invalidCredential)` for what cannot be sent.
    func validate() throws(SessionError) {
        // RFC 7617 §2: the first colon ends the name. A line break in a name would begin another field.
        guard !user.contains(":") else { throw Self.invalid("the user's name has a colon") }
        guard (user + password).unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw Self.invalid("the user's name or the password has a control character")
        }
    }

    private static func invalid(_ why: String) -> SessionError {
        .urlRequestValidationFailed(reason: .invalidCredential(why: why))
    }
}

extension HTTPCredential: CustomStringConvertible, CustomReflectable {
    var description: String { Redaction.placeholder }
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension Exchange {
    /// Forgets the credential for good once a hop leads to another origin than the first.
    func keepCredential(for url: ParsedURL) {
        let origin = origin ?? url
        self.origin = origin
        if !url.hasSameOrigin(as: origin) { credential = nil }
    }
}

extension Hop {
    /// Lets libcurl answer challenges. It sends nothing of the credential before the server has asked, and then
    /// chooses the best of what that takes.
    func setCredential(_ credential: HTTPCredential) throws(CurlFailure) {
        try easy.set(CURLOPT_HTTPAUTH, clinchpin_CURLAUTH_BASIC() | clinchpin_CURLAUTH_DIGEST())
        try easy.set(CURLOPT_USERNAME, credential.user)
        try easy.set(CURLOPT_PASSWORD, credential.password)
    }
}
