public import Foundation
public import FoundationNetworking

/// What a URL can be made of.
public protocol URLConvertible: Sendable {
    /// - Throws: ``SessionError`` `.invalidURL` when there is no URL in it.
    func asURL() throws -> URL
}

extension String: URLConvertible {
    /// The URL of the text.
    ///
    /// - Throws: ``SessionError`` `.invalidURL`.
    public func asURL() throws -> URL {
        guard let url = URL(string: self, encodingInvalidCharacters: false) else {
            throw SessionError.invalidURL(url: self)
        }
        return url
    }
}

extension URL: URLConvertible {
    /// The URL itself.
    public func asURL() throws -> URL { self }
}

extension URLComponents: URLConvertible {
    /// The URL of the components.
    ///
    /// - Throws: ``SessionError`` `.invalidURL`.
    public func asURL() throws -> URL {
        guard let url else { throw SessionError.invalidURL(url: self) }
        return url
    }
}

/// What a request can be made of; the router style.
public protocol URLRequestConvertible: Sendable {
    /// - Throws: any error; it reaches the caller as `.createURLRequestFailed`.
    func asURLRequest() throws -> URLRequest
}

extension URLRequest: URLRequestConvertible {
    /// The request itself.
    public func asURLRequest() throws -> URLRequest { self }
}

extension URLRequest {
    /// Makes a request of a URL, a method and headers.
    ///
    /// - Throws: ``SessionError`` `.invalidURL`, or `.urlRequestValidationFailed` for a method or a header that
    ///   cannot be sent.
    public init(url: any URLConvertible, method: HTTPMethod, headers: HTTPHeaders? = nil) throws {
        self.init(url: try url.asURL())
        guard method.rawValue.isToken else {
            throw SessionError.urlRequestValidationFailed(reason: .invalidMethod(method.rawValue))
        }
        // GET is what Foundation has set already.
        if method != .get { httpMethod = method.rawValue }
        for header in headers ?? [:] {
            guard header.isSendable else {
                throw SessionError.urlRequestValidationFailed(reason: .invalidHeader(name: header.name))
            }
            addValue(header.value, forHTTPHeaderField: header.name)
        }
    }
}
