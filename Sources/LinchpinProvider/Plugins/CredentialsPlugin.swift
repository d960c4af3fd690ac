public import FoundationNetworking

/// Answers servers that ask for a user and a password, by Digest (RFC 7616) or Basic (RFC 7617).
///
/// Nothing of a credential is sent before the server asks, and then only to the origin of the request's URL. Where the
/// server refuses it, its 401 is the response. A request with an `Authorization` of its own is sent with that alone.
/// For a server that wants Basic without asking for it, use ``AccessTokenPlugin`` with ``AuthorizationType/basic``.
///
/// A credential without a user or a password changes nothing; one whose user has a colon in it, which neither scheme can
/// carry, ends the request, and nothing is sent.
public struct CredentialsPlugin: PluginType {
    /// The credential for a target; nil for none. A ``MultiTarget`` is unwrapped first.
    public typealias CredentialClosure = @Sendable (any TargetType) -> URLCredential?

    /// Asked for each request, on the thread where it is made.
    public let credentialsClosure: CredentialClosure

    /// Makes a plugin.
    @preconcurrency
    public init(credentialsClosure: @escaping CredentialClosure) { self.credentialsClosure = credentialsClosure }

    /// Gives the request the credential.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        guard let credential = credentialsClosure(target.unwrapped) else { return }
        request.authenticate(with: credential)
    }
}
