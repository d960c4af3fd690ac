public import FoundationNetworking

/// Answers the requests of a provider in the place of a session; see ``EndpointProvider/init(answeredBy:endpointClosure:requestClosure:callbackQueue:plugins:trackInflights:)``.
public protocol ResponseSource: Sendable {
    /// What answers a request, as the plugins made it. Called where the completion is called.
    ///
    /// - Throws: any error; the request ends with it as ``ProviderError`` `.underlying`.
    func response(to request: URLRequest) throws -> EndpointSampleResponse
}
