internal import Foundation
public import FoundationNetworking
internal import LinchpinSession

/// Puts a token into the `Authorization` field of targets that ask for one.
///
/// Only targets that are ``AccessTokenAuthorizable`` with an ``AccessTokenAuthorizable/authorizationType`` get it. An
/// `Authorization` that the request has already stays and is the only one: what a target says of itself (the refresh
/// token of a `refresh` case, say) is more special than what holds for all. White space around a token is cut off, and
/// an empty token sends no field at all. The session's own `Authorization`, if it has one, gives way to the token. A
/// provider sends no request whose token cannot be written into a field.
public struct AccessTokenPlugin: PluginType {
    /// The token for a target; empty for none. A ``MultiTarget`` is unwrapped first.
    public typealias TokenClosure = @Sendable (any TargetType) -> String

    /// Asked for each request, on the thread where it is made.
    public let tokenClosure: TokenClosure

    /// Makes a plugin.
    ///
    /// - Parameters:
    ///   - tokenClosure: the token for a target; asked for each request, so that it may change.
    @preconcurrency
    public init(tokenClosure: @escaping TokenClosure) { self.tokenClosure = tokenClosure }

    /// The request with the token.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        (try? fill(request, target: target)) ?? request
    }
}

extension AccessTokenPlugin: HeaderSupplying {
    func headers(for target: any TargetType, in request: URLRequest) -> HTTPHeaders {
        guard let type = (target as? any AccessTokenAuthorizable)?.authorizationType,
            request.value(forHTTPHeaderField: "Authorization") == nil
        else { return [:] }
        let token = tokenClosure(target.unwrapped).trimmingCharacters(in: .whitespacesAndNewlines)
        return token.isEmpty ? [:] : ["Authorization": "\(type.value) \(token)"]
    }
}
