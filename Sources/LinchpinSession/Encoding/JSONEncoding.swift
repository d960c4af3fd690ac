public import Foundation
public import FoundationNetworking

/// Puts parameters into the body as JSON, as Alamofire's type of the same name does.
///
/// Dictionaries with String keys, arrays, strings, numbers, booleans, nil and `NSNull` are JSON. Anything else, and a
/// number that is not finite, is refused before anything is written.
public struct JSONEncoding: ParameterEncoding {
    /// Why parameters are not JSON.
    public enum Error: Swift.Error, Sendable {
        /// The value at this place, such as `filter.since` or `ids[2]`, is of a type that JSON has no form for. The
        /// place is empty for the whole object; the value is not repeated here.
        case invalidJSONObject(at: String, type: String)
    }

    /// JSON without white space.
    public static let `default` = JSONEncoding()
    /// JSON with line breaks and indentation.
    public static let prettyPrinted = JSONEncoding(options: .prettyPrinted)

    /// How the JSON is written.
    public let options: JSONSerialization.WritingOptions

    /// Makes an encoding.
    public init(options: JSONSerialization.WritingOptions = []) { self.options = options }

    /// The request with the parameters as its body; nil parameters leave it as it is.
    ///
    /// The request gets the Content-Type `application/json`, unless it has one.
    ///
    /// - Throws: ``SessionError`` `.parameterEncodingFailed(.jsonEncodingFailed)` or `(.missingURL)`, and what making
    ///   the request throws.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        try encode(urlRequest, withJSONObject: parameters)
    }

    /// The request with a dictionary or an array as its body; nil leaves it as it is.
    ///
    /// - Throws: as ``encode(_:with:)`` does.
    public func encode(_ urlRequest: any URLRequestConvertible, withJSONObject object: Any? = nil) throws -> URLRequest
    {
        var request = try urlRequest.asURLRequest()
        guard let object else { return request }
        guard request.url != nil else { throw SessionError.parameterEncodingFailed(reason: .missingURL) }
        do {
            request.httpBody = try data(of: object)
        } catch {
            throw SessionError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: error))
        }
        request.setDefaultContentType("application/json")
        return request
    }

    private func data(of object: Any) throws -> Data {
        guard object is [String: Any] || object is [Any] else {
            throw Error.invalidJSONObject(at: "", type: "\(type(of: object))")
        }
        try Self.check(object, at: "")
        return try JSONSerialization.data(withJSONObject: object, options: options)
    }

    /// Finds the first value that JSON has no form for. Foundation's own check does not say where it is, and lets
    /// a Decimal through that is not a number.
    private static func check(_ value: Any, at place: String) throws {
        if value is String { return }
        if let dictionary = value as? [String: Any] {
            for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
                try check(value, at: place.isEmpty ? key : "\(place).\(key)")
            }
        } else if let array = value as? [Any] {
            for (index, value) in array.enumerated() { try check(value, at: "\(place)[\(index)]") }
        } else if let number = value as? NSNumber {
            guard !number.doubleValue.isFinite else { return }
            throw Error.invalidJSONObject(at: place, type: "\(type(of: value)) that is not finite")
        } else if !(value is NSNull || isNil(value)) {
            throw Error.invalidJSONObject(at: place, type: "\(type(of: value))")
        }
    }

    private static func isNil(_ value: Any) -> Bool {
        guard let optional = value as? any OptionalValue else { return false }
        return optional.wrapped == nil
    }
}

extension JSONEncoding.Error: CustomStringConvertible, LocalizedError {
    /// Where the value is and of what type.
    public var description: String {
        switch self {
        case .invalidJSONObject(let place, let type):
            "\(place.isEmpty ? "the whole object" : place) is a \(type), for which JSON has no form"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
