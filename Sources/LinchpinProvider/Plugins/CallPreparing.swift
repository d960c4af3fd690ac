internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// A plugin whose change of a request may fail, or depends on which call it belongs to.
protocol CallPreparing: PluginType {
    /// The request as this plugin makes it.
    ///
    /// - Parameters:
    ///   - call: the same however often the request is sent.
    /// - Throws: ``SessionError``; nothing is then sent.
    func prepare(_ request: URLRequest, target: any TargetType, call: CallIdentity) throws(SessionError) -> URLRequest
}
