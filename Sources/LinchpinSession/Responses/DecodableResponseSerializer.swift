public import Foundation
public import FoundationNetworking

/// Makes a value of a body with a decoder.
public struct DecodableResponseSerializer<Value: Decodable & Sendable>: ResponseSerializer, BodySerializer {
    /// Changes the body before it is decoded.
    public let dataPreprocessor: any DataPreprocessor
    /// Makes the value.
    public let decoder: any DataDecoder
    /// The statuses of responses that may have no body.
    public let emptyResponseCodes: Set<Int>
    /// The methods whose responses may have no body.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - decoder: a `JSONDecoder` by default, which reads UTF-8 whatever the response says (RFC 8259 §8.1).
    public init(
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.decoder = decoder
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// The value, or the type's own for a body that is empty and may be.
    ///
    /// - Throws: the given error; ``SessionError`` `.responseSerializationFailed` with `.inputDataNilOrZeroLength`,
    ///   `.invalidEmptyResponse` for a body that may be empty and a type that is no ``EmptyResponse``, or
    ///   `.decodingFailed`; what the preprocessor throws.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> Value {
        guard let body = try body(data, request, response, error) else {
            guard let value = (Value.self as? any EmptyResponse.Type)?.emptyValue() as? Value else {
                throw SessionError.responseSerializationFailed(reason: .invalidEmptyResponse(type: "\(Value.self)"))
            }
            return value
        }
        do {
            return try decoder.decode(Value.self, from: body)
        } catch {
            throw SessionError.responseSerializationFailed(reason: .decodingFailed(error: error))
        }
    }
}

extension ResponseSerializer {
    /// Makes a value of a body with a decoder, a `JSONDecoder` by default.
    public static func decodable<Value: Decodable & Sendable>(
        of type: Value.Type,
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<Value>.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer<Value>.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<Value>.defaultEmptyRequestMethods
    ) -> Self where Self == DecodableResponseSerializer<Value> {
        DecodableResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            decoder: decoder,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
    }
}
