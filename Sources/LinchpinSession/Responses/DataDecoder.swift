public import Foundation

/// Makes values of bodies.
public protocol DataDecoder: Sendable {
    /// The value.
    ///
    /// - Throws: any error; it reaches the caller as `.responseSerializationFailed(.decodingFailed)`.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: DataDecoder {}

extension PropertyListDecoder: DataDecoder {}
