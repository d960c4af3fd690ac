internal import Foundation
public import FoundationNetworking
public import LinchpinSession

/// A request before it is made: where to, how, and what a stub answers in its place.
open class Endpoint {
    /// Makes what a stub answers.
    public typealias SampleResponseClosure = @Sendable () -> EndpointSampleResponse

    /// The whole URL, as text.
    public let url: String
    /// Makes what a stub answers; called once for each stubbed request.
    public let sampleResponseClosure: SampleResponseClosure
    /// The request's method.
    public let method: HTTPMethod
    /// What the request carries.
    public let task: RequestTask
    /// Fields of the request.
    public let httpHeaderFields: [String: String]?

    /// Makes an endpoint; nothing is checked before ``urlRequest()``.
    @preconcurrency
    public init(
        url: String,
        sampleResponseClosure: @escaping SampleResponseClosure,
        method: HTTPMethod,
        task: RequestTask,
        httpHeaderFields: [String: String]?
    ) {
        self.url = url
        self.sampleResponseClosure = sampleResponseClosure
        self.method = method
        self.task = task
        self.httpHeaderFields = httpHeaderFields
    }

    /// The endpoint with more fields; they replace those of the same name, whatever its case.
    open func adding(newHTTPHeaderFields: [String: String]) -> Endpoint {
        let newNames = Set(newHTTPHeaderFields.keys.map { $0.lowercased() })
        let kept = (httpHeaderFields ?? [:]).filter { !newNames.contains($0.key.lowercased()) }
        return Endpoint(
            url: url,
            sampleResponseClosure: sampleResponseClosure,
            method: method,
            task: task,
            httpHeaderFields: kept.merging(newHTTPHeaderFields) { $1 }
        )
    }

    /// The endpoint with another task.
    open func replacing(task: RequestTask) -> Endpoint {
        Endpoint(
            url: url,
            sampleResponseClosure: sampleResponseClosure,
            method: method,
            task: task,
            httpHeaderFields: httpHeaderFields
        )
    }

    /// The request.
    ///
    /// - Throws: ``ProviderError`` `.requestMapping` with the text that is no URL, `.parameterEncoding`,
    ///   `.encodableMapping`, or `.underlying` around `SessionError.urlRequestValidationFailed` for a method or a
    ///   field that cannot be sent.
    public func urlRequest() throws -> URLRequest {
        guard let address = try? url.asURL() else { throw ProviderError.requestMapping(url) }
        let request: URLRequest
        do {
            request = try fields(of: address)
        } catch {
            throw ProviderError.underlying(error, nil)
        }
        return try task.put(into: request)
    }

    /// The request with method and fields. A name outside ASCII, which is never sent, may stand in a request that a
    /// stub answers; what else cannot be sent is refused here.
    private func fields(of address: URL) throws -> URLRequest {
        let headers = HTTPHeaders(httpHeaderFields ?? [:])
        var plain = HTTPHeaders()
        for header in headers {
            plain.append(name: header.name.utf8.allSatisfy { $0 < 0x80 } ? header.name : "x", value: header.value)
        }
        var request = try URLRequest(url: address, method: method, headers: plain)
        guard plain.map(\.name) != headers.map(\.name) else { return request }
        request.allHTTPHeaderFields = headers.dictionary
        return request
    }
}

// Everything in it is immutable and Sendable. A subclass restates the claim for what it adds.
extension Endpoint: @unchecked Sendable {}

extension Endpoint: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and URL and the fields' names; values, which may be secret, are left out.
    public var description: String {
        let names = (httpHeaderFields ?? [:]).keys.sorted().joined(separator: ", ")
        return "\(method.rawValue) \(Redaction.url(url))" + (names.isEmpty ? "" : " with \(names)")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": description]) }
}
