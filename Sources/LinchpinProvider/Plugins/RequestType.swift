internal import Foundation
public import FoundationNetworking
public import LinchpinSession

/// A request that is about to be sent, for plugins. What describes it shows no secret.
public protocol RequestType: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The request as the plugins made it. It holds the secrets: do not log it, log ``redactedHeaders``.
    var request: URLRequest? { get }
    /// The session's fields, which are sent where the request has none of that name.
    var sessionHeaders: [String: String] { get }
    /// Every field that is sent, with the values of credentials, and of fields that a plugin calls secret, replaced.
    var redactedHeaders: HTTPHeaders { get }

    /// Answers the server's challenges with this credential, by Digest (RFC 7616) or Basic (RFC 7617).
    ///
    /// It has an effect in a plugin's `willSend` before the first attempt; a later call replaces an earlier one. Nothing
    /// is sent before the server asks, and then only to the origin of the request's URL. A request with an
    /// `Authorization` of its own is sent with that alone. A credential without a user or a password changes nothing;
    /// one whose user has a colon ends the request. Stubs ask for none.
    @discardableResult
    func authenticate(with credential: URLCredential) -> Self
}

extension RequestType {
    /// Changes nothing.
    @discardableResult
    public func authenticate(with credential: URLCredential) -> Self { self }

    /// The same with a name and a password.
    ///
    /// - Parameters:
    ///   - persistence: has no effect: no credential is kept longer than its request.
    @discardableResult
    public func authenticate(
        username: String,
        password: String,
        persistence: URLCredential.Persistence = .none
    ) -> Self {
        authenticate(with: URLCredential(user: username, password: password, persistence: persistence))
    }

    /// Calls the handler at once with the request as a command line of curl. Of secrets and of the body, which may hold
    /// some, it has no value.
    @discardableResult
    public func cURLDescription(calling handler: (String) -> Void) -> Self {
        guard var shown = request else {
            handler("(invalid request)")
            return self
        }
        shown.allHTTPHeaderFields = redactedHeaders.dictionary
        handler(CURLCommand.text(of: shown))
        return self
    }

    /// Every field that is sent, with the values of credentials replaced.
    public var redactedHeaders: HTTPHeaders { Redaction.headers(sentHeaders, secretNames: []) }

    /// Method, URL and ``redactedHeaders``, one a line; the values of the query are left out too.
    public var description: String {
        let line = "\(request?.httpMethod ?? "GET") \(Redaction.url(request?.url?.absoluteString ?? ""))"
        return ([line] + redactedHeaders.map { "\($0.name): \($0.value)" }).joined(separator: "\n")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The request's fields over the session's, by name.
    var sentHeaders: HTTPHeaders {
        var headers = HTTPHeaders(sessionHeaders)
        for (name, value) in request?.allHTTPHeaderFields ?? [:] { headers.update(name: name, value: value) }
        return HTTPHeaders(headers.dictionary)
    }
}
