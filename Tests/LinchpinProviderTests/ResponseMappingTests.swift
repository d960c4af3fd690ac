import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import Testing

@Suite struct ResponseMappingTests {
    private func response(_ body: String, status: Int = 200) -> Response {
        Response(statusCode: status, data: Data(body.utf8))
    }

    private func kind(_ error: ProviderError?) -> String {
        switch error {
        case .jsonMapping: "json"
        case .stringMapping: "string"
        case .objectMapping: "object"
        case .statusCode: "status"
        default: "\(String(describing: error))"
        }
    }

    @Test(
        arguments: [
            (#"{"data":{"items":[1,2]}}"#, "data.items", [1, 2]),
            (#"{"items":[{"id":1},{"id":2}]}"#, "items.id", [1, 2]),
            (#"{"a":[{"b":[{"c":1}]},{"b":[]}]}"#, "a.b.c", nil),
            (#"[{"id":1},{"id":2}]"#, "id", [1, 2]),
        ] as [(String, String, [Int]?)]
    )
    func `a key path leads through dictionaries and arrays`(_ json: String, _ path: String, _ expected: [Int]?) {
        #expect((try? response(json).map([Int].self, atKeyPath: path)) == expected)
    }

    @Test func `elements without the key are null`() throws {
        let found = try response(#"{"a":[{"b":1},{},{"b":null}]}"#).map([Int?].self, atKeyPath: "a.b")
        #expect(found == [1, nil, nil])
    }

    @Test(
        arguments: [
            ([0xC4, 0xE3, 0xBA, 0xC3], "text/plain; charset=gbk", nil, "你好"),
            ([0xC4, 0xE3, 0xBA, 0xC3], "text/plain", nil, nil),
            ([0xE9], "text/plain; charset=utf-8", nil, nil),
            ([0xE9], "text/plain; charset=utf-8", .isoLatin1, "é"),
            ([0xE9], "text/plain; charset=iso-8859-1", nil, "é"),
            ([0xEF, 0xBB, 0xBF, 0x61], "text/plain", nil, "a"),
            ([0x61], "text/plain; charset=no-such", nil, nil),
        ] as [([UInt8], String, String.Encoding?, String?)]
    )
    func `a body is the text that its charset makes of it`(
        _ bytes: [UInt8],
        _ type: String,
        _ encoding: String.Encoding?,
        _ text: String?
    ) throws {
        let url = try #require(URL(string: "http://h"))
        let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": type])
        let response = Response(statusCode: 200, data: Data(bytes), response: head)
        guard let text else {
            let error = #expect(throws: ProviderError.self) { try response.mapString(encoding: encoding) }
            return #expect(kind(error) == "string")
        }
        #expect(try response.mapString(encoding: encoding) == text)
    }

    struct Money: Codable, Equatable { var amount: Decimal; var isPaid: Bool; var count: UInt64 }

    @Test func `values keep their type and precision behind a key path`() throws {
        let json = #"{"a":{"m":{"amount":0.12345678901234567891,"isPaid":true,"count":18446744073709551615}}}"#
        let money = try response(json).map(Money.self, atKeyPath: "a.m")
        #expect(money.amount == Decimal(string: "0.12345678901234567891"))
        #expect(money.isPaid)
        #expect(money.count == .max)
    }

    @Test func `scalars and null can be decoded`() throws {
        let body = response(#"{"a":{"n":5,"b":true,"s":"x","z":null,"d":0.1}}"#)
        #expect(try body.map(Int.self, atKeyPath: "a.n") == 5)
        #expect(try body.map(Bool.self, atKeyPath: "a.b"))
        #expect(try body.map(String.self, atKeyPath: "a.s") == "x")
        #expect(try body.map(Double.self, atKeyPath: "a.d") == 0.1)
        #expect(try body.map(Int?.self, atKeyPath: "a.z") == nil)
        #expect(kind(#expect(throws: ProviderError.self) { try body.map(Int.self, atKeyPath: "a.z") }) == "object")
        #expect(kind(#expect(throws: ProviderError.self) { try body.map(Bool.self, atKeyPath: "a.n") }) == "object")
    }

    @Test func `the keys of a path are the JSON's and the decoder is the caller's`() throws {
        struct Person: Decodable { var firstName: String; var bornAt: Date }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let json = #"{"the_person":{"first_name":"Ada","born_at":"1815-12-10T00:00:00Z"}}"#
        let person = try response(json).map(Person.self, atKeyPath: "the_person", using: decoder)
        #expect(person.firstName == "Ada")
        #expect(person.bornAt == Date(timeIntervalSince1970: -4_861_728_000))
    }

    @Test(arguments: [#"{"a":[1]}"#, #"{"a":[{"b":1},1]}"#, #"{"a":"b"}"#, #"{"a":null}"#, "[1]", "1"])
    func `a scalar has no keys`(_ json: String) {
        let error = #expect(throws: ProviderError.self) { try response(json).map([Int?].self, atKeyPath: "a.b") }
        #expect(kind(error) == "json")
    }

    @Test(arguments: ["b", "a.b", "a.x.y", "", "a.", ".a", "a..x"])
    func `a missing key is an error or means the whole body`(_ path: String) throws {
        let body = response(#"{"a":{"x":1}}"#)
        #expect(kind(#expect(throws: ProviderError.self) { try body.map(Int.self, atKeyPath: path) }) == "json")
        let whole = try body.map([String: [String: Int]].self, atKeyPath: path, failsOnEmptyData: false)
        #expect(whole == ["a": ["x": 1]])
    }

    @Test func `an empty body is an error or an empty value`() throws {
        struct Maybe: Decodable { var x: Int? }
        let empty = response("")
        #expect(kind(#expect(throws: ProviderError.self) { try empty.map(Maybe.self) }) == "object")
        #expect(kind(#expect(throws: ProviderError.self) { try empty.map(Maybe.self, atKeyPath: "a") }) == "json")
        #expect(try empty.map(Maybe.self, failsOnEmptyData: false).x == nil)
        #expect(try empty.map([Maybe].self, failsOnEmptyData: false).count == 1)
        #expect(try empty.map(Maybe.self, atKeyPath: "a", failsOnEmptyData: false).x == nil)
        #expect(
            kind(#expect(throws: ProviderError.self) { try empty.map(Int.self, failsOnEmptyData: false) }) == "object"
        )
        #expect(kind(#expect(throws: ProviderError.self) { try empty.mapJSON() }) == "json")
        #expect(try empty.mapJSON(failsOnEmptyData: false) is NSNull)
    }

    @Test(arguments: [" ", "{", "{'a':1}", "[1 2]", "\u{FEFF}"])
    func `what is no JSON is an error`(_ body: String) {
        for fails in [true, false] {
            let error = #expect(throws: ProviderError.self) { try response(body).mapJSON(failsOnEmptyData: fails) }
            #expect(kind(error) == "json")
        }
        #expect(kind(#expect(throws: ProviderError.self) { try response(body).map([Int].self) }) == "object")
        #expect(
            kind(#expect(throws: ProviderError.self) { try response(body).map([Int].self, atKeyPath: "a") }) == "json"
        )
    }

    @Test func `JSON may be a fragment and of any type`() throws {
        #expect(try response("null").mapJSON() is NSNull)
        #expect(try response("5").mapJSON() as? Int == 5)
        #expect(try response(#""x""#).mapJSON() as? String == "x")
        #expect(try response("[1]").mapJSON() as? [Int] == [1])
    }

    @Test func `text is UTF-8 or a string at a key path`() throws {
        #expect(try response("é").mapString() == "é")
        #expect(try response("").mapString() == "")
        #expect(try response(#"{"a":{"b":"x"}}"#).mapString(atKeyPath: "a.b") == "x")
        let latin = Response(statusCode: 200, data: Data([0xE9]))
        #expect(kind(#expect(throws: ProviderError.self) { try latin.mapString() }) == "string")
        for path in ["a", "b", "a.b.c"] {
            let error = #expect(throws: ProviderError.self) {
                try response(#"{"a":{"b":"x"}}"#).mapString(atKeyPath: path)
            }
            #expect(kind(error) == "string")
        }
        #expect(kind(#expect(throws: ProviderError.self) { try response("x").mapString(atKeyPath: "a") }) == "json")
    }

    @Test(arguments: [100, 199, 200, 299, 300, 399, 400, 500, 0, -1])
    func `filters let their codes through`(_ status: Int) {
        let body = response("", status: status)
        func passes(_ filter: () throws(ProviderError) -> Response) -> Bool {
            do throws(ProviderError) {
                return try filter() === body
            } catch {
                #expect(kind(error) == "status")
                #expect(error.response === body)
                return false
            }
        }
        #expect(
            passes { () throws(ProviderError) in try body.filterSuccessfulStatusCodes() }
                == (200..<300).contains(status)
        )
        #expect(
            passes { () throws(ProviderError) in try body.filterSuccessfulStatusAndRedirectCodes() }
                == (200..<400).contains(status)
        )
        #expect(passes { () throws(ProviderError) in try body.filter(statusCode: 200) } == (status == 200))
        #expect(passes { () throws(ProviderError) in try body.filter(statusCodes: 400...) } == (status >= 400))
        #expect(passes { () throws(ProviderError) in try body.filter(statusCodes: ..<200) } == (status < 200))
    }

    @Test func `responses are equal whatever their requests`() throws {
        let request = try URLRequest(url: "http://h", method: .get)
        #expect(response("a") == Response(statusCode: 200, data: Data("a".utf8), request: request))
        #expect(response("a") != response("b"))
        #expect(response("a") != response("a", status: 201))
    }
}
