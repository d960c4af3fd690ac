import Foundation
import FoundationNetworking
import LinchpinSession
import Testing

@Suite struct URLEncodingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let parameters: Parameters
        let query: String
        var arrays = URLEncoding.ArrayEncoding.brackets
        var bools = URLEncoding.BoolEncoding.numeric
        var testDescription: String { query }
    }

    static let rows: [Row] = [
        Row(parameters: ["q": "a+b c"], query: "q=a%2Bb%20c"),
        Row(parameters: ["b": 1, "a": 2, "c": 3], query: "a=2&b=1&c=3"),
        Row(parameters: ["k;": "a;b,c&d=e/f?g"], query: "k%3B=a%3Bb%2Cc%26d%3De/f?g"),
        Row(parameters: ["e": "😀é"], query: "e=%F0%9F%98%80%C3%A9"),
        Row(parameters: ["s": "~*'()!@:$"], query: "s=~%2A%27%28%29%21%40%3A%24"),
        Row(parameters: ["s": "#[]%\u{0}\r\n"], query: "s=%23%5B%5D%25%00%0D%0A"),
        Row(parameters: ["s": "azAZ09-._~/?"], query: "s=azAZ09-._~/?"),
        Row(parameters: ["s": "", "": "x"], query: "=x&s="),
        Row(parameters: ["n": 0.1, "u": UInt64.max, "i": -1], query: "i=-1&n=0.1&u=18446744073709551615"),
        Row(parameters: ["some": Optional(5), "none": Int?.none, "null": NSNull()], query: "some=5"),
    ]

    static let booleans: [Row] = [
        Row(parameters: ["t": true, "f": false, "one": 1], query: "f=0&one=1&t=1"),
        Row(parameters: ["t": true, "f": false, "one": 1], query: "f=false&one=1&t=true", bools: .literal),
        Row(
            parameters: ["t": NSNumber(value: true), "f": NSNumber(value: false), "i": NSNumber(value: Int8(1))],
            query: "f=false&i=1&t=true",
            bools: .literal
        ),
        Row(
            parameters: ["t": Optional(true), "a": [true, 0] as [any Sendable]],
            query: "a%5B%5D=true&a%5B%5D=0&t=true",
            bools: .literal
        ),
    ]

    static let collections: [Row] = [
        Row(parameters: ["a": [1, 2]], query: "a%5B%5D=1&a%5B%5D=2"),
        Row(parameters: ["a": [1, 2]], query: "a=1&a=2", arrays: .noBrackets),
        Row(parameters: ["a": [1, 2]], query: "a%5B0%5D=1&a%5B1%5D=2", arrays: .indexInBrackets),
        Row(parameters: ["a": [1, 2]], query: "a.0%26=1&a.1%26=2", arrays: .custom { "\($0).\($1)&" }),
        Row(parameters: ["a": [Int](), "o": Parameters()], query: ""),
        Row(parameters: ["o": ["k": "v"]], query: "o%5Bk%5D=v"),
        Row(
            parameters: ["o": ["c": 1, "b": ["z": 1, "y": 2], "a": 0] as Parameters],
            query: "o%5Ba%5D=0&o%5Bb%5D%5By%5D=2&o%5Bb%5D%5Bz%5D=1&o%5Bc%5D=1"
        ),
        Row(parameters: ["m": [["x": 1], ["x": 2]]], query: "m%5B%5D%5Bx%5D=1&m%5B%5D%5Bx%5D=2"),
        Row(parameters: ["m": [["x": 1]]], query: "m%5B0%5D%5Bx%5D=1", arrays: .indexInBrackets),
    ]

    @Test(arguments: rows + booleans + collections)
    func `parameters become a sorted and escaped query`(_ row: Row) throws {
        let encoding = URLEncoding(destination: .queryString, arrayEncoding: row.arrays, boolEncoding: row.bools)
        let request = try encoding.encode(URLRequest(url: "http://h/p", method: .post), with: row.parameters)
        #expect(request.url?.absoluteString == "http://h/p" + (row.query.isEmpty ? "" : "?" + row.query))
        #expect(request.httpBody == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test(arguments: rows + booleans + collections)
    func `the body has the text that the query would have`(_ row: Row) throws {
        let encoding = URLEncoding(destination: .httpBody, arrayEncoding: row.arrays, boolEncoding: row.bools)
        let request = try encoding.encode(URLRequest(url: "http://h/p", method: .get), with: row.parameters)
        #expect(request.httpBody == Data(row.query.utf8))
        #expect(request.url?.absoluteString == "http://h/p")
    }

    @Test(arguments: [
        ("http://h/p?k=1", "http://h/p?k=1&a=b"),
        ("http://h/p?", "http://h/p?a=b"),
        ("http://h/p?k=1&", "http://h/p?k=1&a=b"),
        ("http://h/p?k=1#f", "http://h/p?k=1&a=b#f"),
        ("http://h/p#f?g", "http://h/p?a=b#f?g"),
        ("http://h", "http://h?a=b"),
        ("http://h/p?k=a+b%2fc;d=%c3%a9,'!", "http://h/p?k=a+b%2fc;d=%c3%a9,'!&a=b"),
        ("http://u:p@[::1]:8/a%2Fb?k", "http://u:p@[::1]:8/a%2Fb?k&a=b"),
    ])
    func `a query that is there stays as it is written`(_ url: String, _ expected: String) throws {
        let request = try URLRequest(url: url, method: .get)
        #expect(try URLEncoding.default.encode(request, with: ["a": "b"]).url?.absoluteString == expected)
        for nothing in [nil, [:], ["a": [Int]()]] as [Parameters?] {
            #expect(try URLEncoding.default.encode(request, with: nothing).url?.absoluteString == url)
        }
    }

    @Test(arguments: [
        (HTTPMethod.get, true), (.head, true), (.delete, true), (.post, false), (.put, false), (.patch, false),
        (.options, false), (.query, false),
    ])
    func `the method decides between query and body`(_ method: HTTPMethod, _ isQuery: Bool) throws {
        let request = try URLEncoding.default.encode(URLRequest(url: "http://h", method: method), with: ["a": 1])
        #expect((request.url?.query == "a=1") == isQuery)
        #expect((request.httpBody == Data("a=1".utf8)) == !isQuery)
        let type = isQuery ? nil : "application/x-www-form-urlencoded; charset=utf-8"
        #expect(request.value(forHTTPHeaderField: "Content-Type") == type)
    }

    @Test func `Foundation's collections are taken apart like Swift's`() {
        let value: [Any] = [NSArray(array: [1, true]), NSDictionary(dictionary: ["k": "v"])]
        let components = URLEncoding.default.queryComponents(fromKey: "a", value: value)
        #expect(components.map { "\($0)=\($1)" } == ["a%5B%5D%5B%5D=1", "a%5B%5D%5B%5D=1", "a%5B%5D%5Bk%5D=v"])
    }

    @Test func `a content type that is there stays`() throws {
        let request = try URLRequest(url: "http://h", method: .post, headers: ["content-type": "text/plain"])
        let encoded = try URLEncoding.default.encode(request, with: ["a": 1])
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == "text/plain")
    }

    @Test func `nil parameters leave a request with a body as it is`() throws {
        let request = try URLEncoding.default.encode(URLRequest(url: "http://h", method: .post), with: nil)
        #expect(request.httpBody == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }
}

@Suite struct JSONEncodingTests {
    private func body(_ parameters: Parameters, _ encoding: JSONEncoding = .default) throws -> String {
        let request = try encoding.encode(URLRequest(url: "http://h", method: .post), with: parameters)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        return String(decoding: try #require(request.httpBody), as: UTF8.self)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let value: any Sendable
        let json: String
        var testDescription: String { json }
    }

    @Test(arguments: [
        Row(value: true, json: "true"),
        Row(value: false, json: "false"),
        Row(value: 1, json: "1"),
        Row(value: Int8(1), json: "1"),
        Row(value: NSNumber(value: true), json: "true"),
        Row(value: NSNumber(value: 1), json: "1"),
        Row(value: Optional(true), json: "true"),
        Row(value: 0.1, json: "0.1"),
        Row(value: UInt64.max, json: "18446744073709551615"),
        Row(value: Decimal(string: "0.1"), json: "0.1"),
        Row(value: Int?.none, json: "null"),
        Row(value: NSNull(), json: "null"),
        Row(value: "é\"\n", json: "\"é\\\"\\n\""),
        Row(value: [1, true, [Int?.none]] as [any Any & Sendable], json: "[1,true,[null]]"),
        Row(value: ["b": Parameters()], json: "{\"b\":{}}"),
    ])
    func `values keep their JSON type`(_ row: Row) throws {
        #expect(try body(["k": row.value]) == "{\"k\":\(row.json)}")
    }

    struct Invalid: Sendable, CustomTestStringConvertible {
        let parameters: Parameters
        let place: String
        var testDescription: String { place }
    }

    @Test(arguments: [
        Invalid(parameters: ["ratio": Double.nan], place: "ratio"),
        Invalid(parameters: ["ratio": Float.infinity], place: "ratio"),
        Invalid(parameters: ["ratio": Decimal.nan], place: "ratio"),
        Invalid(parameters: ["ratio": NSDecimalNumber.notANumber], place: "ratio"),
        Invalid(parameters: ["ratio": Optional(Double.nan)], place: "ratio"),
        Invalid(parameters: ["when": Date()], place: "when"),
        Invalid(parameters: ["filter": ["since": Date()]], place: "filter.since"),
        Invalid(parameters: ["ids": [1, Date()] as [any Sendable]], place: "ids[1]"),
        Invalid(parameters: ["blob": Data([1])], place: "blob"),
        Invalid(parameters: ["link": URL(fileURLWithPath: "/")], place: "link"),
        Invalid(parameters: ["numbered": [1: 2]], place: "numbered"),
        Invalid(parameters: ["set": Set([1])], place: "set"),
    ])
    func `what is no JSON is refused by its place`(_ row: Invalid) throws {
        let request = try URLRequest(url: "http://h", method: .post)
        let error = #expect(throws: SessionError.self) {
            try JSONEncoding.default.encode(request, with: row.parameters)
        }
        guard case .parameterEncodingFailed(.jsonEncodingFailed(let cause)) = error,
            case JSONEncoding.Error.invalidJSONObject(let place, _) = cause
        else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(place == row.place)
    }

    @Test func `pretty printing has lines`() throws {
        #expect(try body(["k": 1], .prettyPrinted).split(separator: "\n").count == 3)
    }

    @Test func `a content type that is there stays`() throws {
        let request = try URLRequest(
            url: "http://h",
            method: .post,
            headers: ["content-type": "application/vnd.x+json"]
        )
        let encoded = try JSONEncoding.default.encode(request, with: [:])
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == "application/vnd.x+json")
        #expect(encoded.httpBody == Data("{}".utf8))
    }

    @Test func `an array may be the whole body, a number may not`() throws {
        let request = try URLRequest(url: "http://h", method: .post)
        let encoded = try JSONEncoding.default.encode(request, withJSONObject: [1, 2])
        #expect(encoded.httpBody == Data("[1,2]".utf8))
        #expect(throws: SessionError.self) { try JSONEncoding.default.encode(request, withJSONObject: 1) }
    }

    @Test(arguments: [URLEncoding.queryString, URLEncoding.httpBody, JSONEncoding.default] as [any ParameterEncoding])
    func `a request without a URL is refused, and nil parameters are not looked at`(
        _ encoding: any ParameterEncoding
    ) throws {
        var request = try URLRequest(url: "http://h", method: .post)
        request.url = nil
        #expect(try encoding.encode(request, with: nil) == request)
        let error = #expect(throws: SessionError.self) { try encoding.encode(request, with: ["a": 1]) }
        guard case .parameterEncodingFailed(.missingURL) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }
}
