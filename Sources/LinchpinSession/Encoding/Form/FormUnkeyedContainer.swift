/// The elements of one array.
struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    let array: FormArray
    let codingPath: [any CodingKey]
    let options: URLEncodedFormEncoder
    var count: Int { array.elements.count }

    private func encoder() -> FormEncoder {
        let place = FormPlace()
        let key = FormKey(stringValue: "\(count)")
        array.elements.append(place)
        return FormEncoder(place: place, codingPath: codingPath + [key], options: options)
    }

    func encodeNil() { encoder().encodeNil() }
    func encode(_ value: Bool) { encoder().encode(value) }
    func encode(_ value: some Encodable) throws { try encoder().encode(value) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        encoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }
}
