/// A target that may need a token.
public protocol AccessTokenAuthorizable {
    /// How the token is written; nil where none is needed.
    var authorizationType: AuthorizationType? { get }
}
