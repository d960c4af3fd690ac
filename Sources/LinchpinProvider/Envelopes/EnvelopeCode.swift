/// The code in an envelope, which APIs write as a number or as text: `0` and `"0"` are the same.
public struct EnvelopeCode: Hashable, Sendable {
    /// The code as text.
    public let text: String

    /// A code that is text.
    public init(_ text: String) { self.text = text }

    /// A code that is a number.
    public init(_ number: Int) { text = "\(number)" }

    /// The code as a number; nil when it is none.
    public var number: Int? { Int(text) }
}

extension EnvelopeCode: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// A code that is a number.
    public init(integerLiteral value: Int) { self.init(value) }

    /// A code that is text.
    public init(stringLiteral value: String) { self.init(value) }
}

extension EnvelopeCode: Decodable {
    /// A number without a fraction, a boolean as `true` or `false`, or text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self.init(number)
        } else if let bool = try? container.decode(Bool.self) {
            self.init(bool ? "true" : "false")
        } else {
            self.init(try container.decode(String.self))
        }
    }
}

extension EnvelopeCode: CustomStringConvertible {
    /// The code as text.
    public var description: String { text }
}
