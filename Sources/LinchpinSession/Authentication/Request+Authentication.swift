public import FoundationNetworking
internal import Synchronization

extension Request {
    /// Answers the server's challenges with a name and a password, by Digest (RFC 7616) or Basic (RFC 7617), in UTF-8.
    ///
    /// Nothing of them is sent before the server asks, and then only to the origin of the request's URL: from the first
    /// redirect to another origin on they are not used. Where the server refuses them its 401 is the response. The body
    /// may have to be sent twice, which ends the request for a stream. A request with an `Authorization` field of its
    /// own is sent with that alone. Has to be called before the request starts; a later call replaces an earlier one.
    ///
    /// - Parameters:
    ///   - username: the name; with a colon or control characters the request ends with `.invalidCredential`.
    ///   - password: the password, without control characters.
    @discardableResult
    public func authenticate(username: String, password: String) -> Self {
        status.withLock { $0.makeExtras().credential = HTTPCredential(user: username, password: password) }
        return self
    }

    /// The same with a credential of Foundation's; one without a user or a password changes nothing.
    @discardableResult
    public func authenticate(with credential: URLCredential) -> Self {
        guard let user = credential.user, let password = credential.password else { return self }
        return authenticate(username: user, password: password)
    }

    /// What answers challenges; nil where nothing does.
    ///
    /// - Throws: ``SessionError`` `.urlRequestValidationFailed(.invalidCredential)`.
    func credential() throws(SessionError) -> HTTPCredential? {
        let credential = status.withLock { $0.extras?.credential }
        try credential?.validate()
        return credential
    }
}
