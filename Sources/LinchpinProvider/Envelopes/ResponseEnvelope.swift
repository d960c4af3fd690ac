/// An answer that an API wraps: a code, a message, and the data.
public struct ResponseEnvelope<Value: Decodable & Sendable>: EnvelopeDecodable {
    /// The code; nil where the format has none.
    public let code: EnvelopeCode?
    /// What the API says about the code.
    public let message: String?
    /// Whether the code is one of a success; nil where the format has none.
    public let isSuccess: Bool?
    /// The data; nil where it is missing or null.
    public let data: Value?

    /// Reads an envelope.
    public init(from decoder: any Decoder, configuration format: EnvelopeFormat) throws {
        let container = try decoder.container(keyedBy: EnvelopeKey.self)
        let head = try EnvelopeHead(container, format)
        code = head.code
        message = head.message
        isSuccess = head.isSuccess
        // An error often comes with data of another kind, which is then nobody's business.
        data =
            head.isSuccess == false
            ? nil : try container.first(of: format.dataKeys).map { try container.decode(Value.self, forKey: $0) }
    }
}

/// The data of an answer that has none.
public struct NoData: Decodable, Hashable, Sendable {
    /// Makes it.
    public init() {}

    /// Reads anything, or nothing.
    public init(from decoder: any Decoder) {}
}
