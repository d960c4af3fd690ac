/// What changed in a provider's activity.
public enum NetworkActivityChangeType: Hashable, Sendable {
    /// A request is about to be sent.
    case began
    /// A request has ended, in whatever way.
    case ended
}

/// Tells of every request when it begins and when it ends.
///
/// Each `began` is followed by exactly one `ended`, also where a request is cancelled or cannot be sent; a request that
/// never was, since none could be made of its target, is not told of. One that is sent again after a token was
/// refreshed begins and ends twice.
public struct NetworkActivityPlugin: PluginType {
    /// Takes a change; called on the thread where the request is made, or where its completion is called.
    public typealias NetworkActivityClosure = @Sendable (_ change: NetworkActivityChangeType, any TargetType) -> Void

    private let networkActivityClosure: NetworkActivityClosure

    /// Makes a plugin.
    @preconcurrency
    public init(networkActivityClosure: @escaping NetworkActivityClosure) {
        self.networkActivityClosure = networkActivityClosure
    }

    /// Tells of the beginning.
    public func willSend(_ request: any RequestType, target: any TargetType) { networkActivityClosure(.began, target) }

    /// Tells of the end.
    public func didReceive(_ result: Result<Response, ProviderError>, target: any TargetType) {
        networkActivityClosure(.ended, target)
    }
}
