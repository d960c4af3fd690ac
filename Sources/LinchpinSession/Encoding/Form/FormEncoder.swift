internal import Foundation

/// Encodes one value into its place.
struct FormEncoder: Encoder {
    let place: FormPlace
    let codingPath: [any CodingKey]
    let options: URLEncodedFormEncoder
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FormKeyedContainer(object: object, codingPath: codingPath, options: options))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        FormUnkeyedContainer(array: array, codingPath: codingPath, options: options)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { FormValueContainer(encoder: self) }

    /// A value of any type. Where Foundation's own types are asked to encode themselves, a Decimal would be a structure
    /// and a URL a base and a rest.
    func encode(_ value: any Encodable) throws {
        let text =
            switch value {
            case let date as Date: try options.dateEncoding.text(of: date)
            case let data as Data: try options.dataEncoding.text(of: data)
            case let decimal as Decimal: decimal.description
            case let url as URL: url.absoluteString
            default: String?.none
            }
        if let text {
            place.node = .text(text)
        } else {
            try value.encode(to: self)
        }
    }

    func encodeNil() { place.node = options.nilEncoding.encoding().map(FormNode.text) }

    func encode(_ bool: Bool) { place.node = options.boolEncoding.text(of: bool).map(FormNode.text) }

    /// The object of this place; a second container goes on with it, as `superEncoder` wants it.
    private var object: FormObject {
        if case .object(let object)? = place.node { return object }
        let object = FormObject()
        place.node = .object(object)
        return object
    }

    private var array: FormArray {
        if case .array(let array)? = place.node { return array }
        let array = FormArray()
        place.node = .array(array)
        return array
    }
}
