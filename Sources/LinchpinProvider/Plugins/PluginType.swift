public import FoundationNetworking

/// Sees and changes what a provider sends and gets; every step may be left out.
///
/// The order is: ``prepare(_:target:)`` of each plugin, each fed what the one before it made; ``willSend(_:target:)``
/// of each; the network, or the stub; ``didReceive(_:target:)`` of each; ``process(_:target:)`` of each, each fed what
/// the one before it made; the completion. The first two run on the thread where the request was made, the others where
/// the completion is called. ``didReceive(_:target:)`` is called exactly once for each ``willSend(_:target:)``; when
/// there is no request to be sent only ``process(_:target:)`` is called.
///
/// Where the session's own retrier has a request sent again, ``didReceive(_:target:)`` sees how the attempt before
/// failed, without its body, and ``prepare(_:target:)`` and ``willSend(_:target:)`` make and see the next one, all of it
/// where the completion is called: a signature is renewed, and an idempotency key stays the same. A retrier hears of a
/// status code that ``TargetType/validationType`` does not accept.
public protocol PluginType: Sendable {
    /// Names of fields whose values no description shows; none by default. `Authorization`, cookies and the like are
    /// never shown anyway.
    var secretHeaders: Set<String> { get }

    /// Changes a request before it is sent.
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest

    /// Sees a request before it is sent.
    func willSend(_ request: any RequestType, target: any TargetType)

    /// Sees what came, after ``TargetType/validationType`` was applied.
    func didReceive(_ result: Result<Response, ProviderError>, target: any TargetType)

    /// Changes what the completion gets.
    func process(
        _ result: Result<Response, ProviderError>,
        target: any TargetType
    ) -> Result<Response, ProviderError>
}

extension PluginType {
    /// None.
    public var secretHeaders: Set<String> { [] }

    /// The request as it is.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { request }

    /// Does nothing.
    public func willSend(_ request: any RequestType, target: any TargetType) {}

    /// Does nothing.
    public func didReceive(_ result: Result<Response, ProviderError>, target: any TargetType) {}

    /// The result as it is.
    public func process(
        _ result: Result<Response, ProviderError>,
        target: any TargetType
    ) -> Result<Response, ProviderError> { result }
}
