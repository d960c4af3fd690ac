internal import Foundation
public import FoundationNetworking
public import LinchpinSession

/// Gives each call a key by which a server tells a repetition from a second order.
///
/// The key is the same however often one call is sent, and another one for the next call. A field that the target has
/// itself stays.
public struct IdempotencyKeyPlugin: PluginType {
    /// The field's name.
    public let header: String
    /// The methods whose requests get a key.
    public let methods: Set<HTTPMethod>

    /// Makes a plugin.
    ///
    /// - Parameters:
    ///   - header: the field's name, `Idempotency-Key` by default.
    ///   - methods: whose requests get a key; POST and PATCH by default, since the others may be repeated anyway
    ///     (RFC 9110 §9.2.2).
    public init(header: String = "Idempotency-Key", methods: Set<HTTPMethod> = [.post, .patch]) {
        self.header = header
        self.methods = methods
    }

    /// The request with a key of its own.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        (try? prepare(request, target: target, call: CallIdentity())) ?? request
    }
}

extension IdempotencyKeyPlugin: CallPreparing {
    func prepare(_ request: URLRequest, target: any TargetType, call: CallIdentity) throws(SessionError) -> URLRequest {
        guard methods.contains(HTTPMethod(rawValue: request.httpMethod ?? "GET")),
            request.value(forHTTPHeaderField: header) == nil
        else { return request }
        let key = HTTPHeader(name: header, value: call.id.uuidString)
        guard key.isSendable else { throw .urlRequestValidationFailed(reason: .invalidHeader(name: header)) }
        var request = request
        request.setValue(key.value, forHTTPHeaderField: header)
        return request
    }
}
