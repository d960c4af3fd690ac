public import FoundationNetworking
public import LinchpinSession

extension URLSessionConfiguration {
    /// Lets a Linchpin session carry every task of the URL sessions that are made with this configuration.
    ///
    /// Sets `protocolClasses` to ``LinchpinURLProtocol`` alone. The configuration, its copies and the URL sessions keep
    /// `session`; once that is invalidated, their tasks fail with `.resourceUnavailable`. Several configurations may
    /// use one session, whose connections they then share.
    public func use(_ session: Session) {
        protocolClasses = [LinchpinURLProtocol.self]
        // Of what a copy keeps, this takes values of any kind, and Foundation applies it to nothing.
        var dictionary = connectionProxyDictionary ?? [:]
        dictionary[Self.sessionKey] = SessionHolder(session: session)
        connectionProxyDictionary = dictionary
    }

    /// The session that carries the tasks; nil where there is none.
    var linchpinSession: Session? { (connectionProxyDictionary?[Self.sessionKey] as? SessionHolder)?.session }

    private static let sessionKey = "LinchpinFoundation.session"
}

/// A session among settings.
private struct SessionHolder {
    let session: Session
}
