internal import Foundation
internal import FoundationNetworking
internal import Synchronization

extension Request: CustomReflectable {
    /// What ``description`` shows, for `dump`: what the request was made of has its secrets in it.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension Request: CustomStringConvertible {
    /// Method, URL and status. Of the URL no user, password and query value is shown.
    public var description: String {
        guard let request, let url = request.url else { return "No request created yet." }
        let status = response.map { " (\($0.statusCode))" } ?? ""
        return "\(request.httpMethod ?? "GET") \(Redaction.url(url.absoluteString))\(status)"
    }

    /// The request of the last attempt as a command of curl(1), with the session's fields. Credentials, the values of
    /// the query and the body are not shown. The pins are not part of it: the command trusts what curl trusts.
    public func cURLDescription() -> String { curlDescription(.redacted) }

    /// The same with everything in it, so that the command does what the request does.
    ///
    /// > Warning: It shows tokens, cookies and passwords.
    public func cURLDescriptionShowingSecrets() -> String { curlDescription(.shown) }

    private func curlDescription(_ secrets: CURLCommand.Secrets) -> String {
        guard let request else { return "$ curl command could not be created" }
        return CURLCommand.text(of: request, headers: core.configuration.headers, secrets: secrets)
    }
}
