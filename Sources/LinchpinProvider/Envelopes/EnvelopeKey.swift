/// A key that a format names.
struct EnvelopeKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<EnvelopeKey> {
    /// A whole number, also one that is written as text; nil when there is none.
    func number(_ name: String) -> Int? {
        let key = EnvelopeKey(name)
        if let number = try? decodeIfPresent(Int.self, forKey: key) { return number }
        return (try? decodeIfPresent(String.self, forKey: key)).flatMap { Int($0) }
    }

    /// The first of the keys that is there and is not null.
    func first(of names: [String]) -> EnvelopeKey? {
        names.map { EnvelopeKey($0) }.first { contains($0) && (try? decodeNil(forKey: $0)) == false }
    }
}

/// What every envelope has beside its data.
struct EnvelopeHead {
    let code: EnvelopeCode?
    let message: String?
    let isSuccess: Bool?

    init(_ container: KeyedDecodingContainer<EnvelopeKey>, _ format: EnvelopeFormat) throws {
        code = try format.codeKey.map { try container.decode(EnvelopeCode.self, forKey: EnvelopeKey($0)) }
        message = try? container.decodeIfPresent(String.self, forKey: EnvelopeKey(format.messageKey))
        isSuccess = code.map(format.successCodes.contains)
    }
}
