internal import Foundation
internal import FoundationNetworking

extension URLRequest {
    /// - Throws: ``SessionError`` `.urlRequestValidationFailed` for what must not, or cannot, be sent.
    ///
    /// - Parameters:
    ///   - body: what is sent, which need not be the URL request's own.
    func validateForSending(_ body: RequestBody) throws(SessionError) {
        let method = httpMethod ?? "GET"
        // CONNECT has no request target of its own (RFC 9112 §3.2.3); libcurl sends it where a proxy wants it.
        guard method.isToken, method != "CONNECT" else {
            throw .urlRequestValidationFailed(reason: .invalidMethod(method))
        }
        guard body.isNone || !["GET", "HEAD"].contains(method) else {
            throw .urlRequestValidationFailed(reason: .bodyDataInGETRequest(httpBody ?? Data()))
        }
        for (name, value) in allHTTPHeaderFields ?? [:] where !HTTPHeader(name: name, value: value).isSendable {
            throw .urlRequestValidationFailed(reason: .invalidHeader(name: name))
        }
    }
}
