internal import FoundationNetworking

/// A plugin that wants to know what was sent beside what came: after redirects a response has another request.
protocol ExchangeObserving: PluginType {
    /// Sees what came, in the place of ``PluginType/didReceive(_:target:)``.
    ///
    /// - Parameters:
    ///   - request: the request as the plugins made it.
    func received(_ result: Result<Response, ProviderError>, to request: URLRequest, target: any TargetType)
}
