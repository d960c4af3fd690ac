public import Foundation
public import FoundationNetworking

/// A final response, whatever its status code.
public final class Response: Sendable {
    /// The status code.
    public let statusCode: Int
    /// The body; empty where there was none.
    public let data: Data
    /// The last request that was sent, after redirects. It holds the secrets that were sent.
    public let request: URLRequest?
    /// Status and fields; nil for a stub that gave none.
    public let response: HTTPURLResponse?

    /// Makes a response.
    public init(statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil) {
        self.statusCode = statusCode
        self.data = data
        self.request = request
        self.response = response
    }

    /// The response, if its status code is one of these.
    ///
    /// - Throws: ``ProviderError`` `.statusCode`.
    @discardableResult
    public func filter(statusCodes: some RangeExpression<Int>) throws(ProviderError) -> Response {
        guard statusCodes.contains(statusCode) else { throw .statusCode(self) }
        return self
    }

    /// The response, if its status code is this one.
    ///
    /// - Throws: ``ProviderError`` `.statusCode`.
    @discardableResult
    public func filter(statusCode: Int) throws(ProviderError) -> Response {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// The response, if its status code is from 200 to 299.
    ///
    /// - Throws: ``ProviderError`` `.statusCode`.
    @discardableResult
    public func filterSuccessfulStatusCodes() throws(ProviderError) -> Response { try filter(statusCodes: 200...299) }

    /// The response, if its status code is from 200 to 399.
    ///
    /// - Throws: ``ProviderError`` `.statusCode`.
    @discardableResult
    public func filterSuccessfulStatusAndRedirectCodes() throws(ProviderError) -> Response {
        try filter(statusCodes: 200...399)
    }
}

extension Response: Equatable {
    /// Whether status, body and response are the same; the requests are not compared.
    public static func == (left: Response, right: Response) -> Bool {
        left.statusCode == right.statusCode && left.data == right.data && left.response == right.response
    }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status code and length.
    public var description: String { "Status Code: \(statusCode), Data Length: \(data.count)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Status code and length; the request, which holds secrets, is left out.
    public var customMirror: Mirror {
        Mirror(self, children: ["statusCode": statusCode, "dataLength": data.count])
    }
}
