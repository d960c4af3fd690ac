public import FoundationNetworking
public import LinchpinSession

/// Puts fields into every request.
///
/// A field that the request has already stays as it is: what a target says of itself is more special than what holds
/// for all. A provider sends no request with a value that cannot be written into a field.
///
/// ```swift
/// HeaderPlugin(["X-Client": "ios/4.2"])
/// HeaderPlugin(secretHeaders: ["X-Signature"]) { target in ["X-Signature": sign(target.path)] }
/// ```
public struct HeaderPlugin: PluginType {
    /// The fields for a target; several of one name are all sent. A ``MultiTarget`` is unwrapped first.
    public typealias HeadersClosure = @Sendable (any TargetType) -> HTTPHeaders

    /// Names of fields whose values no description shows.
    public let secretHeaders: Set<String>
    /// Asked for each request, on the thread where it is made.
    public let headersClosure: HeadersClosure

    /// The same fields for every target.
    ///
    /// - Parameters:
    ///   - headers: the fields.
    ///   - secretHeaders: the names of those whose values no description shows.
    public init(_ headers: HTTPHeaders, secretHeaders: Set<String> = []) {
        self.init(secretHeaders: secretHeaders) { _ in headers }
    }

    /// Fields by target.
    ///
    /// - Parameters:
    ///   - secretHeaders: the names of those whose values no description shows.
    ///   - headersClosure: the fields for a target; asked for each request, so that they may change.
    @preconcurrency
    public init(secretHeaders: Set<String> = [], headersClosure: @escaping HeadersClosure) {
        self.secretHeaders = secretHeaders
        self.headersClosure = headersClosure
    }

    /// The request with the fields.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        (try? fill(request, target: target)) ?? request
    }
}

extension HeaderPlugin: HeaderSupplying {
    func headers(for target: any TargetType, in request: URLRequest) -> HTTPHeaders {
        headersClosure(target.unwrapped)
    }
}
