internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// What makes two requests the same: all that is sent, and all that decides about the answer.
struct InflightKey: Hashable {
    private let request: URLRequest.Content
    /// What is sent beside the request.
    private let file: URL?
    private let stub: StubBehavior
    private let validation: ValidationType
    /// Plugins put the token in later: one that gets it is not one that does not.
    private let authorization: AuthorizationType?
    /// The credentials that they put in: what one user may see is not for another, who asks for the same.
    private let credentials: [String?]

    /// Nil when no request can be made of the endpoint; its callers then each get the error. Nil for downloads, each
    /// of which is to have its own file, and for forms, which cannot be compared.
    init?(endpoint: Endpoint, target: any TargetType, stub: StubBehavior, plugins: [any PluginType]) {
        switch endpoint.task {
        case .downloadDestination, .downloadParameters, .uploadMultipartFormData, .uploadCompositeMultipartFormData:
            return nil
        case .uploadFile(let url): file = url
        default: file = nil
        }
        guard let request = try? endpoint.urlRequest() else { return nil }
        self.request = URLRequest.Content(request)
        self.stub = stub
        validation = target.validationType
        authorization = (target as? any AccessTokenAuthorizable)?.authorizationType
        credentials = plugins.flatMap { $0.credentials(for: target, in: request) }
    }
}

extension PluginType {
    /// The fields with credentials, and the user, that this plugin puts into the target's request.
    fileprivate func credentials(for target: any TargetType, in request: URLRequest) -> [String?] {
        if let supplier = self as? any HeaderSupplying {
            let secret = Set(secretHeaders.map { $0.lowercased() })
            return supplier.headers(for: target, in: request)
                .filter { HTTPHeader.isSecret($0.name) || secret.contains($0.name.lowercased()) }
                .flatMap { [$0.name.lowercased(), $0.value] }
        }
        let credential = (self as? CredentialsPlugin)?.credentialsClosure(target.unwrapped)
        return credential.map { [$0.user, $0.password] } ?? []
    }
}

extension URLRequest {
    /// What of a request tells it from others.
    struct Content: Hashable {
        let url: URL?
        let method: String?
        /// By names in lower case.
        let headers: [String: String]
        let body: Data?

        init(_ request: URLRequest) {
            url = request.url
            method = request.httpMethod
            let fields = (request.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
            headers = Dictionary(fields) { "\($0), \($1)" }
            body = request.httpBody
        }
    }
}
