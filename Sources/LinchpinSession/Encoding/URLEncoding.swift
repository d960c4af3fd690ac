internal import Foundation
public import FoundationNetworking

/// Puts parameters into the query or into a form body, as Alamofire's type of the same name does.
///
/// Keys are sorted at every level, so that the same parameters always make the same text. Everything but RFC 3986's
/// unreserved characters, `/` and `?` is escaped: a space is `%20` and a plus sign `%2B`. What the URL already has in
/// its query stays as it is written.
///
/// Nested values follow PHP's and Rails' convention: `["o": ["k": "v"]]` is `o[k]=v`, with the brackets escaped.
/// A nil and an `NSNull` are left out. Other values are written as Swift prints them.
public struct URLEncoding: ParameterEncoding {
    /// Where the parameters go.
    public enum Destination: Sendable {
        /// Into the query for GET, HEAD and DELETE, else into the body.
        case methodDependent
        /// Into the query.
        case queryString
        /// Into the body.
        case httpBody
    }

    /// How the elements of an array are named.
    public enum ArrayEncoding: Sendable {
        /// `k[]=1&k[]=2`.
        case brackets
        /// `k=1&k=2`.
        case noBrackets
        /// `k[0]=1&k[1]=2`.
        case indexInBrackets
        /// What the closure makes of the key and the element's place; it is escaped afterwards.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)
    }

    /// How a Bool is written.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal
    }

    /// Query or body, as the method has it; `k[]` for arrays; numeric booleans.
    public static let `default` = URLEncoding()
    /// The default, always into the query.
    public static let queryString = URLEncoding(destination: .queryString)
    /// The default, always into the body.
    public static let httpBody = URLEncoding(destination: .httpBody)

    /// How the elements of an array are named.
    public let arrayEncoding: ArrayEncoding
    /// Where the parameters go.
    public let destination: Destination
    /// How a Bool is written.
    public let boolEncoding: BoolEncoding

    /// Makes an encoding.
    public init(
        destination: Destination = .methodDependent,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
    }

    /// The request with the parameters in it; nil parameters leave it as it is, empty ones leave its URL as it is.
    ///
    /// A body gets the Content-Type `application/x-www-form-urlencoded; charset=utf-8`, unless the request has one.
    ///
    /// - Throws: ``SessionError`` `.parameterEncodingFailed(.missingURL)`, and what making the request throws.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        guard let url = request.url else { throw SessionError.parameterEncodingFailed(reason: .missingURL) }
        let query = query(parameters)
        if destination.isQuery(for: HTTPMethod(rawValue: request.httpMethod ?? HTTPMethod.get.rawValue)) {
            request.url = try url.appendingQuery(query)
        } else {
            request.setDefaultContentType("application/x-www-form-urlencoded; charset=utf-8")
            request.httpBody = Data(query.utf8)
        }
        return request
    }

    /// The escaped names and values that one parameter becomes; several for a collection, none for a nil.
    public func queryComponents(fromKey key: String, value: Any) -> [(String, String)] {
        if let text = value as? String { return [(escape(key), escape(text))] }
        if let dictionary = value as? [String: Any] {
            return dictionary.sorted { $0.key < $1.key }
                .flatMap { queryComponents(fromKey: "\(key)[\($0.key)]", value: $0.value) }
        }
        if let array = value as? [Any] {
            return array.enumerated()
                .flatMap { queryComponents(fromKey: arrayEncoding.name(key, $0.offset), value: $0.element) }
        }
        guard let text = boolEncoding.text(of: value) else { return [] }
        return [(escape(key), escape(text))]
    }

    /// The text with everything escaped but RFC 3986's unreserved characters, `/` and `?` (§2.3, §3.4).
    public func escape(_ string: String) -> String {
        string.percentEncoded(where: \.isPlainInQuery)
    }

    private func query(_ parameters: Parameters) -> String {
        parameters.sorted { $0.key < $1.key }
            .flatMap { queryComponents(fromKey: $0.key, value: $0.value) }
            .map { "\($0)=\($1)" }
            .joined(separator: "&")
    }
}

extension URLEncoding.Destination {
    func isQuery(for method: HTTPMethod) -> Bool {
        switch self {
        case .methodDependent: [.get, .head, .delete].contains(method)
        case .queryString: true
        case .httpBody: false
        }
    }
}

extension URLEncoding.ArrayEncoding {
    func name(_ key: String, _ index: Int) -> String {
        switch self {
        case .brackets: "\(key)[]"
        case .noBrackets: key
        case .indexInBrackets: "\(key)[\(index)]"
        case .custom(let name): name(key, index)
        }
    }
}

extension URLEncoding.BoolEncoding {
    /// The text of a value that is no collection; nil for a nil.
    func text(of value: Any) -> String? {
        if let bool = Self.bool(value) {
            switch self {
            case .numeric: return bool ? "1" : "0"
            case .literal: return bool ? "true" : "false"
            }
        }
        if value is NSNull { return nil }
        guard let optional = value as? any OptionalValue else { return "\(value)" }
        return optional.wrapped.flatMap(text)
    }

    /// A Bool, or an NSNumber that was made of one. `as? Bool` would take the number 1 for true as well; the
    /// booleans of Foundation are two objects that no other number is.
    private static func bool(_ value: Any) -> Bool? {
        guard let number = value as? NSNumber, type(of: value) != Bool.self else { return value as? Bool }
        if number === NSNumber(value: true) { return true }
        return number === NSNumber(value: false) ? false : nil
    }
}

extension UInt8 {
    fileprivate var isPlainInQuery: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~/?".utf8.contains(self)
        }
    }
}

extension URLRequest {
    /// Sets the Content-Type, unless there is one.
    package mutating func setDefaultContentType(_ contentType: String) {
        guard value(forHTTPHeaderField: "Content-Type") == nil else { return }
        setValue(contentType, forHTTPHeaderField: "Content-Type")
    }
}
