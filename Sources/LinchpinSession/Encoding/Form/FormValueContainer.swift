/// A value that is one text.
struct FormValueContainer: SingleValueEncodingContainer {
    let encoder: FormEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.encodeNil() }
    func encode(_ value: Bool) { encoder.encode(value) }
    func encode(_ value: String) { encoder.place.node = .text(value) }
    func encode(_ value: Int) { encoder.place.node = .text("\(value)") }
    func encode(_ value: Int8) { encoder.place.node = .text("\(value)") }
    func encode(_ value: Int16) { encoder.place.node = .text("\(value)") }
    func encode(_ value: Int32) { encoder.place.node = .text("\(value)") }
    func encode(_ value: Int64) { encoder.place.node = .text("\(value)") }
    func encode(_ value: UInt) { encoder.place.node = .text("\(value)") }
    func encode(_ value: UInt8) { encoder.place.node = .text("\(value)") }
    func encode(_ value: UInt16) { encoder.place.node = .text("\(value)") }
    func encode(_ value: UInt32) { encoder.place.node = .text("\(value)") }
    func encode(_ value: UInt64) { encoder.place.node = .text("\(value)") }
    func encode(_ value: Double) { encoder.place.node = .text("\(value)") }
    func encode(_ value: Float) { encoder.place.node = .text("\(value)") }
    func encode(_ value: some Encodable) throws { try encoder.encode(value) }
}
