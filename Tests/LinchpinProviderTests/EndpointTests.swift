import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import Testing

@Suite struct EndpointTests {
    struct Book: Encodable { var title = "Ulysses" }
    struct Unwritable: Encodable, Sendable { var ratio = Double.nan }

    private func endpoint(
        _ url: String = "http://h/p?k=1",
        method: HTTPMethod = .post,
        task: RequestTask = .requestPlain,
        headers: [String: String]? = nil
    ) -> Endpoint {
        Endpoint(
            url: url,
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: method,
            task: task,
            httpHeaderFields: headers
        )
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let task: RequestTask
        var url = "http://h/p?k=1"
        var body: String?
        var contentType: String?
    }

    @Test(arguments: [
        Row(testDescription: "plain", task: .requestPlain),
        Row(testDescription: "data", task: .requestData(Data("raw".utf8)), body: "raw"),
        Row(
            testDescription: "JSON",
            task: .requestJSONEncodable(Book()),
            body: #"{"title":"Ulysses"}"#,
            contentType: "application/json"
        ),
        Row(
            testDescription: "query",
            task: .requestParameters(parameters: ["a": "b c"], encoding: URLEncoding.queryString),
            url: "http://h/p?k=1&a=b%20c"
        ),
        Row(
            testDescription: "form",
            task: .requestParameters(parameters: ["a": "b c"], encoding: URLEncoding.default),
            body: "a=b%20c",
            contentType: "application/x-www-form-urlencoded; charset=utf-8"
        ),
        Row(
            testDescription: "JSON parameters",
            task: .requestParameters(parameters: ["a": true], encoding: JSONEncoding.default),
            body: #"{"a":true}"#,
            contentType: "application/json"
        ),
    ])
    func `a task puts itself into the request`(_ row: Row) throws {
        let request = try endpoint(task: row.task).urlRequest()
        #expect(request.url?.absoluteString == row.url)
        #expect(request.httpMethod == "POST")
        #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == row.body)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == row.contentType)
        let typed = try endpoint(task: row.task, headers: ["content-type": "a/b"]).urlRequest()
        #expect(typed.value(forHTTPHeaderField: "Content-Type") == "a/b")
    }

    @Test func `a task's own encoder is used`() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .custom { _ in JSONKey(stringValue: "X") }
        let request = try endpoint(task: .requestCustomJSONEncodable(Book(), encoder: encoder)).urlRequest()
        #expect(request.httpBody == Data(#"{"X":"Ulysses"}"#.utf8))
    }

    private struct JSONKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test func `added fields replace those of the same name in any case`() throws {
        let one = endpoint(headers: ["accept": "a", "X-One": "1"])
        let two = one.adding(newHTTPHeaderFields: ["Accept": "b", "X-Two": "2"])
        let request = try two.urlRequest()
        #expect(request.value(forHTTPHeaderField: "Accept") == "b")
        #expect(request.value(forHTTPHeaderField: "X-One") == "1")
        #expect(request.value(forHTTPHeaderField: "X-Two") == "2")
        #expect(one.httpHeaderFields == ["accept": "a", "X-One": "1"])
    }

    @Test func `endpoints that send the same are equal`() {
        let one = endpoint(headers: ["X-One": "1"])
        #expect(Set([one, endpoint(headers: ["x-one": "1"])]).count == 1)
        #expect(one != endpoint(headers: ["X-One": "2"]))
        #expect(one != endpoint(method: .delete, headers: ["X-One": "1"]))
        let file = RequestTask.uploadFile(URL(fileURLWithPath: "/a"))
        #expect(endpoint(task: file) != endpoint(task: .uploadFile(URL(fileURLWithPath: "/b"))))
        #expect(endpoint(task: file) == endpoint(task: file))
        #expect(endpoint("") == endpoint("") && endpoint("") != endpoint("http://[::1"))
    }

    @Test func `a task can be replaced`() throws {
        let replaced = endpoint(headers: ["X-One": "1"]).replacing(task: .requestData(Data("x".utf8)))
        let request = try replaced.urlRequest()
        #expect(request.httpBody == Data("x".utf8))
        #expect(request.value(forHTTPHeaderField: "X-One") == "1")
    }

    @Test(arguments: ["ht tp://h", "http://h/a b", "", "http://h/%zz", "http://[::1"])
    func `text that is no URL is named`(_ url: String) {
        let error = #expect(throws: ProviderError.self) { try endpoint(url).urlRequest() }
        guard case .requestMapping(url) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }

    @Test func `parameters and values that cannot be encoded are errors`() {
        let parameters = RequestTask.requestParameters(parameters: ["a": Date()], encoding: JSONEncoding.default)
        let first = #expect(throws: ProviderError.self) { try endpoint(task: parameters).urlRequest() }
        guard case .parameterEncoding(SessionError.parameterEncodingFailed(.jsonEncodingFailed)) = first else {
            Issue.record("another error: \(String(describing: first))")
            return
        }
        let value = RequestTask.requestJSONEncodable(Unwritable())
        let second = #expect(throws: ProviderError.self) { try endpoint(task: value).urlRequest() }
        guard case .encodableMapping(is EncodingError) = second else {
            Issue.record("another error: \(String(describing: second))")
            return
        }
    }

    @Test(arguments: [
        (HTTPMethod.get, ["X-A": "1\r\nX-B: 2"]), (.get, ["X A": "1"]), (.get, ["": "1"]), (.get, ["X-A": "\u{0}"]),
        (HTTPMethod(rawValue: "GET / HTTP/1.1\r\n"), [:]), (HTTPMethod(rawValue: ""), [:]),
    ])
    func `a field or a method that would forge another is refused`(_ method: HTTPMethod, _ fields: [String: String]) {
        let error = #expect(throws: ProviderError.self) { try endpoint(method: method, headers: fields).urlRequest() }
        guard case .underlying(SessionError.urlRequestValidationFailed, nil) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }
}
