import Foundation
import LinchpinSession
import Testing

@Suite struct URLEncodedFormEncoderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let value: any Encodable & Sendable
        let text: String
        var encoder = URLEncodedFormEncoder()
        var testDescription: String { text }
    }

    struct Inner: Encodable, Sendable { var z = 1; var a = "x" }
    struct Outer: Encodable, Sendable { var oneTwoThree = Inner(); var myURLPath = [true, false]; var x: Int? }
    struct Optionals: Encodable, Sendable {
        var p1 = "s"
        var p2: String?
        var p3: Int?
        var p4: Bool?
        var p5: [Int]?
    }
    struct Values: Encodable, Sendable {
        var u = UInt64.max, d = 0.1, f = Float(1.5), i = Int8(-1), b = true, s = "a+b c&=;/?é😀"
    }
    struct Dates: Encodable, Sendable { var t = Date(timeIntervalSince1970: 0) }
    struct Bytes: Encodable, Sendable { var d = Data([0xFB, 0xFF]) }
    struct Foundation: Encodable, Sendable {
        var url = URL(filePath: "/a b")
        var decimal = Decimal(string: "0.1")
        var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    }
    enum Kind: String, Encodable, Sendable { case big }
    struct Kinds: Encodable, Sendable { var k = Kind.big; var o = Kind?.some(.big) }
    class Base: Encodable { let a = 1 }
    final class Derived: Base, @unchecked Sendable {
        enum Keys: CodingKey { case b }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(2, forKey: .b)
            try super.encode(to: container.superEncoder())
        }
    }

    static let rows: [Row] = [
        Row(value: ["b": 1, "a": 2, "c": 3], text: "a=2&b=1&c=3"),
        Row(
            value: Values(),
            text: "b=1&d=0.1&f=1.5&i=-1&s=a%2Bb%20c%26%3D%3B/?%C3%A9%F0%9F%98%80&u=18446744073709551615"
        ),
        Row(value: Outer(), text: "myURLPath%5B%5D=1&myURLPath%5B%5D=0&oneTwoThree%5Ba%5D=x&oneTwoThree%5Bz%5D=1"),
        Row(value: ["a": [[1, 2], [3]]], text: "a%5B%5D%5B%5D=1&a%5B%5D%5B%5D=2&a%5B%5D%5B%5D=3"),
        Row(value: ["m": [["x": 1], ["x": 2]]], text: "m%5B%5D%5Bx%5D=1&m%5B%5D%5Bx%5D=2"),
        Row(value: ["a": [3, 1, 2]], text: "a%5B%5D=3&a%5B%5D=1&a%5B%5D=2"),
        Row(value: [String: Int](), text: ""),
        Row(value: ["e": [Int]()], text: ""),
        Row(value: Kinds(), text: "k=big&o=big"),
        Row(value: Derived(), text: "b=2&super%5Ba%5D=1"),
        Row(value: Foundation(), text: "decimal=0.1&id=E621E1F8-C36C-495A-93FC-0C247A3E6E5F&url=file%3A///a%2520b"),
        Row(value: Inner(), text: "z=1&a=x", encoder: .init(alphabetizeKeyValuePairs: false)),
        Row(value: ["a": [1, 2]], text: "a=1&a=2", encoder: .init(arrayEncoding: .noBrackets)),
        Row(value: ["a": [1, 2]], text: "a%5B0%5D=1&a%5B1%5D=2", encoder: .init(arrayEncoding: .indexInBrackets)),
        Row(value: ["a": [1, 2]], text: "a.0=1&a.1=2", encoder: .init(arrayEncoding: .custom { "\($0).\($1)" })),
        Row(value: ["b": true, "c": false], text: "b=true&c=false", encoder: .init(boolEncoding: .literal)),
        Row(value: Optionals(), text: "p1=s"),
        Row(value: Optionals(), text: "p1=s&p2=&p3=&p4=&p5=", encoder: .init(nilEncoding: .dropValue)),
        Row(value: Optionals(), text: "p1=s&p2=null&p3=null&p4=null&p5=null", encoder: .init(nilEncoding: .null)),
        Row(value: ["a": Int?.none], text: "a=nil", encoder: .init(nilEncoding: .init { "nil" })),
        Row(value: ["a": [1, nil]], text: "a%5B%5D=1&a%5B%5D=null", encoder: .init(nilEncoding: .null)),
        Row(value: ["a": [1, nil]], text: "a%5B%5D=1"),
        Row(value: Bytes(), text: "d=%2B/8%3D"),
        Row(value: Bytes(), text: "d%5B%5D=251&d%5B%5D=255", encoder: .init(dataEncoding: .deferredToData)),
        Row(value: Bytes(), text: "d=2%20bytes", encoder: .init(dataEncoding: .custom { "\($0.count) bytes" })),
        Row(value: Dates(), text: "t=-978307200.0"),
        Row(value: Dates(), text: "t=0.0", encoder: .init(dateEncoding: .secondsSince1970)),
        Row(value: Dates(), text: "t=0.0", encoder: .init(dateEncoding: .millisecondsSince1970)),
        Row(value: Dates(), text: "t=1970-01-01T00%3A00%3A00Z", encoder: .init(dateEncoding: .iso8601)),
        Row(value: Dates(), text: "t=1970", encoder: .init(dateEncoding: .formatted(Self.year))),
        Row(value: Dates(), text: "t=x", encoder: .init(dateEncoding: .custom { _ in "x" })),
        Row(value: ["o": ["k": ["l": 1]]], text: "o.k.l=1", encoder: .init(keyPathEncoding: .dots)),
        Row(value: ["o": ["k": 1]], text: "o-k=1", encoder: .init(keyPathEncoding: .init { "-\($0)" })),
        Row(value: ["s": "a b+c"], text: "s=a+b%2Bc", encoder: .init(spaceEncoding: .plusReplaced)),
        Row(
            value: ["s": "a+é"],
            text: "s=a%2B%C3%A9",
            encoder: .init(spaceEncoding: .plusReplaced, allowedCharacters: ["a", "s", "+", "é"])
        ),
        Row(value: ["s": "a+é/"], text: "s=a+%C3%A9%2F", encoder: .init(allowedCharacters: ["a", "s", "+", "é"])),
    ]

    private static var year: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy"
        return formatter
    }

    @Test(arguments: rows)
    func `a value becomes a form's text`(_ row: Row) throws {
        #expect(try row.encoder.encode(row.value) == row.text)
        #expect(try row.encoder.encode(row.value) == Data(row.text.utf8))
    }

    @Test(arguments: [
        (URLEncodedFormEncoder.KeyEncoding.useDefaultKeys, "oneTwoThree", "oneTwoThree"),
        (.convertToSnakeCase, "oneTwoThree", "one_two_three"), (.convertToSnakeCase, "myURLPath", "my_url_path"),
        (.convertToSnakeCase, "URL", "url"), (.convertToSnakeCase, "a1B2", "a1_b2"), (.convertToSnakeCase, "", ""),
        (.convertToSnakeCase, "one_two", "one_two"), (.convertToKebabCase, "oneTwoThree", "one-two-three"),
        (.convertToKebabCase, "X", "x"), (.capitalized, "oneTwo", "OneTwo"), (.capitalized, "éa", "Éa"),
        (.uppercased, "oneTwo", "ONETWO"), (.lowercased, "oneTwo", "onetwo"), (.custom { $0 + "!" }, "a", "a!"),
    ])
    func `keys are spelled at every level`(
        _ encoding: URLEncodedFormEncoder.KeyEncoding,
        _ key: String,
        _ spelled: String
    ) throws {
        let encoder = URLEncodedFormEncoder(
            keyEncoding: encoding,
            allowedCharacters: CharacterSet(charactersIn: "\0"..."\u{10FFFF}")
        )
        let inner = spelled.utf8.contains { $0 > 0x7F } ? "%C3%89a" : spelled
        #expect(try encoder.encode([key: [key: 1]]) == "\(inner)[\(inner)]=1")
    }

    @Test func `only a value with keys becomes a form`() {
        for value in [[1, 2], "text", 5, true, Int?.none, Date()] as [any Encodable] {
            #expect(throws: URLEncodedFormEncoder.Error.self) { try URLEncodedFormEncoder().encode(value) as String }
        }
    }

    @Test func `what a closure throws is thrown`() {
        struct Failure: Error {}
        let encoder = URLEncodedFormEncoder(dateEncoding: .custom { _ in throw Failure() })
        #expect(throws: Failure.self) { try encoder.encode(Dates()) as String }
    }
}
