public import Foundation

/// Writes Encodable values as `application/x-www-form-urlencoded` text, with Alamofire's options.
///
/// The value must have keys: a structure, a class or a dictionary. Nested values follow PHP's and Rails' convention.
/// Names and values are escaped, the brackets included.
public struct URLEncodedFormEncoder: Sendable {
    /// Why a value is not written.
    public enum Error: Swift.Error, Sendable {
        /// The value itself has no keys; it is of this type.
        case invalidRootObject(String)
    }

    /// Whether the pairs of every level are put in the order of their names, true by default, so that the same value
    /// always makes the same text. Elements of an array keep their order.
    public let alphabetizeKeyValuePairs: Bool
    /// How the elements of an array are named, `k[]` by default.
    public let arrayEncoding: ArrayEncoding
    /// How a Bool is written, `1` and `0` by default.
    public let boolEncoding: BoolEncoding
    /// How a Data is written, in Base64 by default.
    public let dataEncoding: DataEncoding
    /// How a Date is written, as it encodes itself by default.
    public let dateEncoding: DateEncoding
    /// How keys are spelled, as they are by default. The keys of dictionaries are spelled so too.
    public let keyEncoding: KeyEncoding
    /// How a key within another is written, `o[k]` by default.
    public let keyPathEncoding: KeyPathEncoding
    /// What becomes of a nil; its key is left out by default.
    public let nilEncoding: NilEncoding
    /// How a space is written, `%20` by default.
    public let spaceEncoding: SpaceEncoding
    /// What is not escaped, ``CharacterSet/afURLQueryAllowed`` by default. Only ASCII counts.
    public let allowedCharacters: CharacterSet

    /// Makes an encoder.
    public init(
        alphabetizeKeyValuePairs: Bool = true,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric,
        dataEncoding: DataEncoding = .base64,
        dateEncoding: DateEncoding = .deferredToDate,
        keyEncoding: KeyEncoding = .useDefaultKeys,
        keyPathEncoding: KeyPathEncoding = .brackets,
        nilEncoding: NilEncoding = .dropKey,
        spaceEncoding: SpaceEncoding = .percentEscaped,
        allowedCharacters: CharacterSet = .afURLQueryAllowed
    ) {
        self.alphabetizeKeyValuePairs = alphabetizeKeyValuePairs
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
        self.dataEncoding = dataEncoding
        self.dateEncoding = dateEncoding
        self.keyEncoding = keyEncoding
        self.keyPathEncoding = keyPathEncoding
        self.nilEncoding = nilEncoding
        self.spaceEncoding = spaceEncoding
        self.allowedCharacters = allowedCharacters
    }

    /// The value's text.
    ///
    /// - Throws: ``Error`` `.invalidRootObject` for a value without keys, and what the value or a closure of the options
    ///   throws.
    public func encode(_ value: any Encodable) throws -> String {
        let place = FormPlace()
        try FormEncoder(place: place, codingPath: [], options: self).encode(value)
        guard case .object(let object)? = place.node else { throw Error.invalidRootObject("\(type(of: value))") }
        return FormSerializer(options: self).text(of: object)
    }

    /// The value's text, in UTF-8.
    ///
    /// - Throws: as the method that gives a String does.
    public func encode(_ value: any Encodable) throws -> Data { Data(try encode(value).utf8) }
}

extension URLEncodedFormEncoder.Error: CustomStringConvertible, LocalizedError {
    /// What was to be written.
    public var description: String {
        switch self {
        case .invalidRootObject(let type): "a form is made of keys and values, and a \(type) has no keys"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
