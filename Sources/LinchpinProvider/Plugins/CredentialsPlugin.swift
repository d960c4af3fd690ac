internal import Foundation
public import FoundationNetworking
internal import LinchpinSession

/// Puts user and password into the `Authorization` field of requests (Basic, RFC 7617), without waiting to be asked.
///
/// An `Authorization` that the request has already stays. A provider sends no request whose user has a colon in it,
/// which Basic cannot carry, or whose credential has no password.
///
/// > Warning: User and password can be read from the field: give them to hosts that you trust, over https.
public struct CredentialsPlugin: PluginType {
    /// The credential for a target; nil for none. A ``MultiTarget`` is unwrapped first.
    public typealias CredentialClosure = @Sendable (any TargetType) -> URLCredential?

    /// Asked for each request, on the thread where it is made.
    public let credentialsClosure: CredentialClosure

    /// Makes a plugin.
    @preconcurrency
    public init(credentialsClosure: @escaping CredentialClosure) { self.credentialsClosure = credentialsClosure }

    /// The request with user and password.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        (try? prepare(request, target: target, call: UUID())) ?? request
    }
}

extension CredentialsPlugin: CallPreparing {
    func prepare(_ request: URLRequest, target: any TargetType, call: UUID) throws(SessionError) -> URLRequest {
        guard request.value(forHTTPHeaderField: "Authorization") == nil,
            let credential = credentialsClosure(target.unwrapped)
        else { return request }
        guard let user = credential.user, !user.contains(":"), let password = credential.password else {
            throw .urlRequestValidationFailed(reason: .invalidHeader(name: "Authorization"))
        }
        var request = request
        let text = Data("\(user):\(password)".utf8).base64EncodedString()
        request.setValue("Basic \(text)", forHTTPHeaderField: "Authorization")
        return request
    }
}
