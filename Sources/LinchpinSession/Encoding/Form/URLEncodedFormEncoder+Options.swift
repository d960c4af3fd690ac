public import Foundation

extension URLEncodedFormEncoder {
    /// How the elements of an array are named.
    public typealias ArrayEncoding = URLEncoding.ArrayEncoding
    /// How a Bool is written.
    public typealias BoolEncoding = URLEncoding.BoolEncoding

    /// How a Data is written.
    public enum DataEncoding: Sendable {
        /// As it encodes itself: an array of numbers.
        case deferredToData
        /// In Base64.
        case base64
        /// As the closure has it; it is escaped afterwards.
        case custom(@Sendable (Data) throws -> String)
    }

    /// How a Date is written.
    public enum DateEncoding: Sendable {
        /// As it encodes itself: the seconds since the first moment of 2001, which is `-978307200.0` for that of 1970.
        case deferredToDate
        /// The seconds since the first moment of 1970, such as `0.0`.
        case secondsSince1970
        /// The milliseconds since the first moment of 1970, such as `0.0`.
        case millisecondsSince1970
        /// ISO 8601 with whole seconds in UTC, such as `1970-01-01T00:00:00Z`.
        case iso8601
        /// As the formatter has it.
        case formatted(DateFormatter)
        /// As the closure has it; it is escaped afterwards.
        case custom(@Sendable (Date) throws -> String)
    }

    /// How keys are spelled.
    public enum KeyEncoding: Sendable {
        /// As they are.
        case useDefaultKeys
        /// `oneTwoThree` as `one_two_three`; a run of capitals is one word, `myURLPath` as `my_url_path`.
        case convertToSnakeCase
        /// `oneTwoThree` as `one-two-three`.
        case convertToKebabCase
        /// `oneTwoThree` as `OneTwoThree`.
        case capitalized
        /// `oneTwoThree` as `ONETWOTHREE`.
        case uppercased
        /// `oneTwoThree` as `onetwothree`.
        case lowercased
        /// As the closure has it; it is escaped afterwards.
        case custom(@Sendable (String) -> String)
    }

    /// How a key within another is written.
    public struct KeyPathEncoding: Sendable {
        /// `o[k]`.
        public static let brackets = KeyPathEncoding { "[\($0)]" }
        /// `o.k`.
        public static let dots = KeyPathEncoding { ".\($0)" }

        let encoding: @Sendable (_ subkey: String) -> String

        /// Makes a way of writing: the closure's text follows the outer key, and is escaped with it.
        public init(encoding: @escaping @Sendable (_ subkey: String) -> String) { self.encoding = encoding }
    }

    /// What becomes of a nil.
    public struct NilEncoding: Sendable {
        /// Its key is left out.
        public static let dropKey = NilEncoding { nil }
        /// `k=`.
        public static let dropValue = NilEncoding { "" }
        /// `k=null`.
        public static let null = NilEncoding { "null" }

        let encoding: @Sendable () -> String?

        /// Makes a way of writing: the closure's text is the value; nil leaves the key out.
        public init(encoding: @escaping @Sendable () -> String?) { self.encoding = encoding }
    }

    /// How a space is written.
    public enum SpaceEncoding: Sendable {
        /// `%20`.
        case percentEscaped
        /// `+`, as forms of HTML have it. A plus sign is `%2B` in either case.
        case plusReplaced
    }
}

extension URLEncodedFormEncoder.DataEncoding {
    /// The text; nil for a value that encodes itself.
    func text(of data: Data) throws -> String? {
        switch self {
        case .deferredToData: nil
        case .base64: data.base64EncodedString()
        case .custom(let encode): try encode(data)
        }
    }
}

extension URLEncodedFormEncoder.DateEncoding {
    /// The text; nil for a value that encodes itself.
    func text(of date: Date) throws -> String? {
        switch self {
        case .deferredToDate: nil
        case .secondsSince1970: "\(date.timeIntervalSince1970)"
        case .millisecondsSince1970: "\(date.timeIntervalSince1970 * 1000)"
        case .iso8601: date.ISO8601Format()
        case .formatted(let formatter): formatter.string(from: date)
        case .custom(let encode): try encode(date)
        }
    }
}

extension URLEncodedFormEncoder.KeyEncoding {
    func spelled(_ key: String) -> String {
        switch self {
        case .useDefaultKeys: key
        case .convertToSnakeCase: Self.words(of: key).joined(separator: "_")
        case .convertToKebabCase: Self.words(of: key).joined(separator: "-")
        case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
        case .uppercased: key.uppercased()
        case .lowercased: key.lowercased()
        case .custom(let spell): spell(key)
        }
    }

    /// The words of a key in lower case. A word begins at a capital after another letter, and at the last capital of a
    /// run that a small letter follows.
    private static func words(of key: String) -> [String] {
        let characters = Array(key)
        var words: [String] = []
        for (place, character) in characters.enumerated() {
            let follows = place > 0 && !characters[place - 1].isUppercase
            let ends = place > 0 && place + 1 < characters.count && characters[place + 1].isLowercase
            if words.isEmpty || (character.isUppercase && (follows || ends)) { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words
    }
}
