internal import FoundationNetworking

/// A plugin that may have a request sent once more.
protocol CallReplaying: PluginType {
    /// What is waited for before the request is prepared and sent again. When it throws, the request ends with that
    /// error and the response. A request is sent again at most once.
    ///
    /// - Parameters:
    ///   - request: what was sent.
    ///   - call: the same that the request was prepared with.
    /// - Returns: nil when the answer stays as it is.
    func replay(
        after response: Response,
        to request: URLRequest,
        target: any TargetType,
        call: CallIdentity
    ) -> (@Sendable () async throws -> Void)?
}
