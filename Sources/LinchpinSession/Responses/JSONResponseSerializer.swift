public import Foundation
public import FoundationNetworking

/// Makes a JSON object of a body, for JSON whose shape is not known; ``DecodableResponseSerializer`` is for the rest.
///
/// The value is a `[String: Any]`, an `[Any]`, a String, an `NSNumber` or an `NSNull`; cast it with `as?`. Alamofire's
/// is an `Any`; this one can be handed to another thread.
public struct JSONResponseSerializer: ResponseSerializer, BodySerializer {
    /// Changes the body before it is read.
    public let dataPreprocessor: any DataPreprocessor
    /// The statuses of responses that may have no body.
    public let emptyResponseCodes: Set<Int>
    /// The methods whose responses may have no body.
    public let emptyRequestMethods: Set<HTTPMethod>
    /// What is read besides dictionaries and arrays; everything by default. Containers are immutable, whatever it says.
    public let options: JSONSerialization.ReadingOptions

    /// Makes a serializer.
    public init(
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONSerialization.ReadingOptions = .fragmentsAllowed
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
        self.options = options
    }

    /// The object, or an `NSNull` for a body that is empty and may be.
    ///
    /// - Throws: the given error; ``SessionError`` `.responseSerializationFailed` with `.inputDataNilOrZeroLength` or
    ///   `.jsonSerializationFailed`; what the preprocessor throws.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> any Sendable {
        guard let body = try body(data, request, response, error) else { return NSNull() }
        do {
            return Self.sendable(try JSONSerialization.jsonObject(with: body, options: options))
        } catch {
            throw SessionError.responseSerializationFailed(reason: .jsonSerializationFailed(error: error))
        }
    }

    /// The same tree in types that are Sendable. JSON has no others; Foundation stops at 512 levels.
    private static func sendable(_ value: Any) -> any Sendable {
        switch value {
        case let text as String: text
        case let number as NSNumber: number
        case let dictionary as [String: Any]: dictionary.mapValues(sendable)
        case let array as [Any]: array.map(sendable)
        default: NSNull()
        }
    }
}

extension ResponseSerializer where Self == JSONResponseSerializer {
    /// Makes a JSON object of a body.
    public static var json: JSONResponseSerializer { JSONResponseSerializer() }

    /// Makes a JSON object of a body.
    public static func json(
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONSerialization.ReadingOptions = .fragmentsAllowed
    ) -> JSONResponseSerializer {
        JSONResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods,
            options: options
        )
    }
}
