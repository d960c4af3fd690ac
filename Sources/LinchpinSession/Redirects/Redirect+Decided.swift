internal import Foundation
internal import FoundationNetworking

/// A redirect between two hops, about which the request's owner has not decided yet.
struct PendingRedirect {
    let redirect: Redirect
    /// Where it came from.
    let source: ParsedURL
    /// What the response is if nobody follows.
    let outcome: ExchangeOutcome
    let body: Data
}

extension PendingRedirect {
    /// What is sent in place of the proposed request, and the body that goes with it.
    ///
    /// - Parameters:
    ///   - chosen: what the owner wants.
    ///   - body: what the request sent so far.
    /// - Throws: ``SessionError`` when the session does not go there.
    func next(
        _ chosen: URLRequest,
        _ body: RequestBody,
        allowsPlainHTTP: Bool
    ) throws(SessionError) -> (URLRequest, RequestBody) {
        let proposed = redirect.request
        var next = chosen
        guard let target = chosen.url else { throw Redirect.refused("the redirect handler's request has no URL") }
        let url = try ParsedURL(target)
        try Redirect.checkScheme(from: source, to: url, allowsPlainHTTP: allowsPlainHTTP)
        if !url.hasSameOrigin(as: redirect.url) { next.removeFieldsOfOneOrigin(of: proposed) }
        if let replaced = chosen.httpBody, replaced != proposed.httpBody { return (next, .data(replaced)) }
        let hasBody = redirect.keepsBody && !["GET", "HEAD"].contains(chosen.httpMethod ?? "GET")
        return (next, hasBody ? body : .none)
    }
}

extension URLRequest {
    /// Takes off the fields that may carry credentials.
    ///
    /// - Parameters:
    ///   - origin: whose credentials they are; fields with other values than its stay.
    fileprivate mutating func removeFieldsOfOneOrigin(of origin: URLRequest) {
        for (name, value) in allHTTPHeaderFields ?? [:]
        where !Redirect.mayGoAnywhere(name) && origin.value(forHTTPHeaderField: name) == value {
            setValue(nil, forHTTPHeaderField: name)
        }
    }
}
