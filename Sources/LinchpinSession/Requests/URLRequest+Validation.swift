internal import Foundation
internal import FoundationNetworking

extension URLRequest {
    /// - Throws: ``SessionError`` `.urlRequestValidationFailed` for what must not, or cannot, be sent.
    func validateForSending() throws(SessionError) {
        let method = httpMethod ?? "GET"
        // CONNECT has no request target of its own (RFC 9112 §3.2.3); libcurl sends it where a proxy wants it.
        guard method.isToken, method != "CONNECT" else {
            throw .urlRequestValidationFailed(reason: .invalidMethod(method))
        }
        if ["GET", "HEAD"].contains(method), let body = httpBody, !body.isEmpty {
            throw .urlRequestValidationFailed(reason: .bodyDataInGETRequest(body))
        }
        guard httpBodyStream == nil else { throw .urlRequestValidationFailed(reason: .bodyStreamUnsupported) }
        for (name, value) in allHTTPHeaderFields ?? [:] where !HTTPHeader(name: name, value: value).isSendable {
            throw .urlRequestValidationFailed(reason: .invalidHeader(name: name))
        }
    }
}
