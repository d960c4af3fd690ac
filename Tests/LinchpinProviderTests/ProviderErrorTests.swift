import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import LinchpinTesting
import LinchpinTrust
import Testing

@Suite struct ProviderErrorTests {
    private static let response = Response(statusCode: 404, data: Data())
    private struct Cause: Error, LocalizedError { var errorDescription: String? { "because" } }

    @Test func `an error knows its response and its cause`() {
        let response = Self.response
        let withResponse: [ProviderError] = [
            .imageMapping(response), .jsonMapping(response), .stringMapping(response), .statusCode(response),
            .objectMapping(Cause(), response), .underlying(Cause(), response),
        ]
        #expect(withResponse.allSatisfy { $0.response === response })
        let without: [ProviderError] = [
            .encodableMapping(Cause()), .parameterEncoding(Cause()), .requestMapping("x"), .underlying(Cause(), nil),
        ]
        #expect(without.allSatisfy { $0.response == nil })
        let withCause = [withResponse[4], withResponse[5], without[0], without[1], without[3]]
        #expect(withCause.allSatisfy { $0.underlyingError is Cause })
        #expect(ProviderError.requestMapping("x").underlyingError == nil)
    }

    @Test func `its words are those that clients know`() {
        #expect(ProviderError.requestMapping("x").errorDescription == "Failed to map Endpoint to a URLRequest.")
        #expect(ProviderError.underlying(Cause(), nil).errorDescription == "because")
        let encoding = ProviderError.parameterEncoding(Cause()).errorDescription
        #expect(encoding == "Failed to encode parameters for URLRequest. because")
        let error: any Error = ProviderError.underlying(Cause(), nil)
        #expect(error.localizedDescription == "because")
        let info = ProviderError.underlying(Cause(), nil).errorUserInfo
        #expect(info[NSLocalizedDescriptionKey] as? String == "because")
        #expect(info[NSUnderlyingErrorKey] is Cause)
        #expect(ProviderError.requestMapping("x").errorUserInfo[NSUnderlyingErrorKey] == nil)
    }

    @Test func `a refusal is found in it`() {
        let refusal = TrustError(.pinMismatch, reason: "no pin")
        let error = ProviderError.underlying(SessionError.serverTrustEvaluationFailed(reason: refusal), nil)
        #expect(error.trustError?.code == .pinMismatch)
        #expect(ProviderError.underlying(SessionError.explicitlyCancelled, nil).trustError == nil)
        #expect(ProviderError.statusCode(Self.response).trustError == nil)
    }

    struct Unwritable: Encodable, Sendable {
        struct Item: Encodable, Sendable { var price = Double.nan }
        var items = [Item()]
    }

    struct Throwing: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws { throw Cause() }
    }

    struct OwnEncoding: ParameterEncoding {
        func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
            throw Cause()
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let field: String
        let call: Call
        var testDescription: String { field }
        init(_ field: String, _ change: (inout Call) -> Void) {
            self.field = field
            call = Call("http://h", change)
        }
    }

    @Test(arguments: [
        Row("headers.X A") { $0.headers = ["X A": "1"] },
        Row("headers.X-A") { $0.headers = ["X-A": "1\n"] },
        Row("method") { $0.method = HTTPMethod(rawValue: "G T") },
        Row("task.items[0].price") {
            $0.method = .post
            $0.task = .requestJSONEncodable(Unwritable())
        },
        Row("task") { $0.task = .requestJSONEncodable(Throwing()) },
        Row("task") { $0.task = .requestCustomJSONEncodable(Throwing(), encoder: JSONEncoder()) },
        Row("task.parameters.filter.since") {
            $0.task = .requestParameters(
                parameters: ["filter": ["since": Date()]],
                encoding: JSONEncoding.default
            )
        },
        Row("task.parameters") { $0.task = .requestParameters(parameters: [:], encoding: OwnEncoding()) },
    ])
    func `a mapping failure names the target and the part, and nothing is sent`(_ row: Row) async throws {
        let server = try LocalTLSServer.plain()
        var call = row.call
        call.baseURL = server.url
        let provider = EndpointProvider<MultiTarget>()
        let target = MultiTarget(call)
        let error = await #expect(throws: ProviderError.self) { try await provider.request(target) }
        let named = error?.underlyingError as? TargetError
        #expect(named?.target == "Call")
        #expect(named?.field == row.field)
        #expect(error.map { "\($0)" }?.contains("Call, \(row.field): ") == true)
        #expect(server.log.connections == 0)
    }

    @Test func `a session's error is found behind the name`() async {
        let call = Call("http://h") {
            $0.task = .requestParameters(parameters: ["a": Date()], encoding: JSONEncoding.default)
        }
        let error = await #expect(throws: ProviderError.self) { try await EndpointProvider<Call>().request(call) }
        guard case .parameterEncodingFailed(.jsonEncodingFailed) = error?.sessionError else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }

    @Test func `a URL that is none is named, without its secrets`() async {
        let provider = EndpointProvider<Call>(endpointClosure: {
            Endpoint(
                url: "http://user:s3cret@h/a b?key=s3cret",
                sampleResponseClosure: { .networkResponse(200, Data()) },
                method: $0.method,
                task: $0.task,
                httpHeaderFields: nil
            )
        })
        let error = await #expect(throws: ProviderError.self) { try await provider.request(Call("http://h")) }
        guard case .requestMapping(let text) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(text == "Call, url: http://h/a b?key=<redacted>")
        #expect(error?.description == "Failed to map Endpoint to a URLRequest. \(text)")
    }

    @Test(arguments: [
        "file:///etc/passwd", "v1/books", "mailto:ada@h", "https:", "ftp://user:s3cret@h/a?key=s3cret", "http:///a",
    ])
    func `a base that leads nowhere is named, and nothing is sent`(_ base: String) async throws {
        let call = Call(base) { $0.path = "x" }
        let provider = EndpointProvider<Call>()
        let error = await #expect(throws: ProviderError.self) { try await provider.request(call) }
        guard case .requestMapping(let text) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(text.hasPrefix("Call, url: ") && !text.contains("s3cret"))
        let streamed = await #expect(throws: ProviderError.self) {
            for try await _ in provider.requestStream(call) {}
        }
        #expect(streamed?.description == error?.description)
    }

    @Test func `a redirect that leads nowhere is no fault of the target's`() async throws {
        let server = try LocalTLSServer.plain { _ in .redirect(to: "http://a..b/") }
        let error = await #expect(throws: ProviderError.self) {
            try await EndpointProvider<Call>().request(Call(server.url))
        }
        #expect(error?.sessionError != nil)
    }

    @Test func `neither a dump nor the words of a decoder show what is secret`() {
        enum Kind: String, Decodable { case book }
        struct Page: Decodable { var kinds: [Kind] }
        var texts: [String] = []
        func record(_ value: Any) {
            var text = "\(value)" + String(reflecting: value)
            dump(value, to: &text)
            texts.append(text)
        }
        record(ProviderError.requestMapping("http://u:s3cret@h/a b?key=s3cret"))
        for (type, body) in [(Page.self as any Decodable.Type, #"{"kinds":["s3cret"]}"#), (Kind.self, #""s3cret""#)] {
            func map<Value: Decodable>(_ type: Value.Type) {
                let error = #expect(throws: ProviderError.self) {
                    try Response(statusCode: 200, data: Data(body.utf8)).map(type)
                }
                error.map(record)
            }
            map(type)
        }
        #expect(texts.count == 3)
        #expect(texts.allSatisfy { !$0.contains("s3cret") })
        #expect(texts[1].contains("kinds[0]"))
    }

    @Test(arguments: [
        (Library.home, "Library.home"), (.book(id: 1), "Library.book"),
        (.signIn(user: "ada", password: "s3cret"), "Library.signIn"),
        (.search(["password": "s3cret", "since": Date()]), "Library.search"),
    ])
    func `a target is named by its case, without what the case carries`(_ target: Library, _ name: String) async {
        let provider = EndpointProvider<Library>(requestClosure: { _, done in done(.failure(.requestMapping("x"))) })
        let error = await #expect(throws: ProviderError.self) { try await provider.request(target) }
        #expect(error?.description.hasSuffix("\(name), url: x") == true)
    }
}
