/// The keys and values of one object.
struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let object: FormObject
    let codingPath: [any CodingKey]
    let options: URLEncodedFormEncoder

    private func encoder(for key: any CodingKey) -> FormEncoder {
        FormEncoder(place: object.place(of: key.stringValue), codingPath: codingPath + [key], options: options)
    }

    func encodeNil(forKey key: Key) { encoder(for: key).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) { encoder(for: key).encode(value) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder(for: key).encode(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(for: FormKey(stringValue: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

    // What the compiler writes for an optional property calls these; the default ones would drop a nil unasked.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
        if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encode(value, orNilFor: key) }
    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { try encode(value, orNilFor: key) }
}

extension FormKeyedContainer {
    private func encode(_ value: (some Encodable)?, orNilFor key: Key) throws {
        let encoder = encoder(for: key)
        if let value { try encoder.encode(value) } else { encoder.encodeNil() }
    }
}

/// A key that no type declares.
struct FormKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
