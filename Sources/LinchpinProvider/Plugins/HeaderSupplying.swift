internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// A plugin that fills in fields which a request has not got. Unlike ``PluginType/prepare(_:target:)`` it can fail,
/// so that a request does not go out without a field that it needs.
protocol HeaderSupplying: CallPreparing {
    /// The fields for the target. Those that the request has already are not used.
    func headers(for target: any TargetType, in request: URLRequest) -> HTTPHeaders
}

extension HeaderSupplying {
    func prepare(_ request: URLRequest, target: any TargetType, call: CallIdentity) throws(SessionError) -> URLRequest {
        try fill(request, target: target)
    }

    /// The request with the fields.
    ///
    /// - Throws: ``SessionError`` `.urlRequestValidationFailed(.invalidHeader)` for what cannot be sent, such as a value
    ///   with a line break. Foundation would drop it, and the request go out without it.
    func fill(_ request: URLRequest, target: any TargetType) throws(SessionError) -> URLRequest {
        var filled = request
        for header in headers(for: target, in: request) where request.value(forHTTPHeaderField: header.name) == nil {
            guard header.isSendable else {
                throw .urlRequestValidationFailed(reason: .invalidHeader(name: header.name))
            }
            filled.addValue(header.value, forHTTPHeaderField: header.name)
        }
        return filled
    }
}
