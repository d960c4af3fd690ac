import Foundation
import FoundationNetworking
import LinchpinSession
import Testing

@Suite struct ParameterEncoderTests {
    private struct Thing: Codable, Hashable { var b = "x/y"; var a = 1 }
    private struct Failing: Encodable {
        struct Failure: Error {}
        func encode(to encoder: any Encoder) throws { throw Failure() }
    }

    private func request(_ method: HTTPMethod, _ url: String = "http://h/p?k=1#f") throws -> URLRequest {
        try URLRequest(url: url, method: method)
    }

    @Test(arguments: [
        (HTTPMethod.get, URLEncodedFormParameterEncoder.Destination.methodDependent, true),
        (.head, .methodDependent, true),
        (.delete, .methodDependent, true), (.post, .methodDependent, false), (.query, .methodDependent, false),
        (.post, .queryString, true), (.get, .httpBody, false),
    ])
    func `a form goes into the query or the body`(
        _ method: HTTPMethod,
        _ destination: URLEncodedFormParameterEncoder.Destination,
        _ isQuery: Bool
    ) throws {
        let encoder = URLEncodedFormParameterEncoder(destination: destination)
        let request = try encoder.encode(Thing(), into: request(method))
        #expect(request.url?.absoluteString == (isQuery ? "http://h/p?k=1&a=1&b=x/y#f" : "http://h/p?k=1#f"))
        #expect(request.httpBody == (isQuery ? nil : Data("a=1&b=x/y".utf8)))
        let type = isQuery ? nil : "application/x-www-form-urlencoded; charset=utf-8"
        #expect(request.headers["Content-Type"] == type)
    }

    @Test func `JSON goes into the body`() throws {
        let request = try JSONParameterEncoder.sortedKeys.encode(Thing(), into: request(.put))
        #expect(request.httpBody == Data(#"{"a":1,"b":"x\/y"}"#.utf8))
        #expect(request.headers["Content-Type"] == "application/json")
        let pretty = try JSONParameterEncoder.prettyPrinted.encode(Thing(), into: request)
        #expect(pretty.httpBody?.contains(UInt8(ascii: "\n")) == true)
        let plain = try JSONParameterEncoder.default.encode(Thing(), into: request)
        #expect(try JSONDecoder().decode(Thing.self, from: #require(plain.httpBody)) == Thing())
    }

    @Test(
        arguments: [JSONParameterEncoder.json, URLEncodedFormParameterEncoder.urlEncodedForm] as [any ParameterEncoder]
    )
    func `a content type that is there stays, and nil changes nothing`(_ encoder: any ParameterEncoder) throws {
        var request = try request(.post)
        #expect(try encoder.encode(Thing?.none, into: request) == request)
        request.setValue("text/x", forHTTPHeaderField: "content-type")
        #expect(try encoder.encode(Thing(), into: request).headers["Content-Type"] == "text/x")
    }

    @Test(
        arguments: [JSONParameterEncoder.json, URLEncodedFormParameterEncoder.urlEncodedForm] as [any ParameterEncoder]
    )
    func `what cannot be encoded is an encoder's failure`(_ encoder: any ParameterEncoder) throws {
        let request = try request(.post)
        let error = #expect(throws: SessionError.self) { try encoder.encode(Failing(), into: request) }
        #expect(error?.isParameterEncoderError == true)
        #expect(error?.underlyingError is Failing.Failure)
    }

    @Test func `a form needs a URL`() throws {
        var request = try request(.post)
        request.url = nil
        let error = #expect(throws: SessionError.self) {
            try URLEncodedFormParameterEncoder.default.encode(Thing(), into: request)
        }
        guard case .parameterEncoderFailed(.missingRequiredComponent(.url))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

@Suite struct HTTPFieldTests {
    @Test(arguments: [
        (HTTPHeader.accept("a/b"), "Accept: a/b"), (.acceptCharset("utf-8"), "Accept-Charset: utf-8"),
        (.acceptLanguage("de"), "Accept-Language: de"), (.acceptEncoding("br"), "Accept-Encoding: br"),
        (.authorization("X y"), "Authorization: X y"), (.authorization(bearerToken: "t"), "Authorization: Bearer t"),
        (
            .authorization(username: "Aladdin", password: "open sesame"),
            "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
        ),
        (.authorization(username: "é", password: ""), "Authorization: Basic w6k6"),
        (.contentDisposition("inline"), "Content-Disposition: inline"),
        (.contentEncoding("gzip"), "Content-Encoding: gzip"),
        (.contentType("a/b"), "Content-Type: a/b"), (.userAgent("x"), "User-Agent: x"),
    ])
    func `a common field is made by its name`(_ header: HTTPHeader, _ text: String) {
        #expect("\(header.name): \(header.value)" == text)
    }

    @Test func `fields are sorted without regard to case, and repeated ones stay in order`() {
        var headers: HTTPHeaders = ["b": "1", "A": "2", "C": "3"]
        headers.append(name: "a", value: "4")
        #expect(headers.sorted().map { "\($0.name)\($0.value)" } == ["A2", "a4", "b1", "C3"])
        headers.sort()
        #expect(headers.map(\.value) == ["2", "4", "1", "3"])
    }

    @Test func `a request's fields and method are read and set`() throws {
        var request = try URLRequest(url: "http://h", method: .post, headers: ["X": "1", "A": "2"])
        #expect(request.method == .post)
        #expect(request.headers.map(\.name) == ["A", "X"])
        request.headers = ["B": "3"]
        #expect(request.allHTTPHeaderFields == ["B": "3"])
        request.method = .put
        #expect(request.httpMethod == "PUT")
    }

    @Test func `a response's fields are found in any case`() throws {
        let response = try response(contentType: "a/b", fields: ["etag": "\"1\""])
        #expect(response.headers["CONTENT-TYPE"] == "a/b")
        #expect(response.headers["ETag"] == "\"1\"")
        #expect(response.headers["Location"] == nil)
    }

    @Test func `every request says who sends it and in which languages it likes the answer`() throws {
        let agent = try #require(HTTPHeaders.default["User-Agent"])
        #expect(agent.hasSuffix("Linchpin/1.0"))
        #expect(agent.contains("(Linux ") || agent.contains("; Linux "))
        let languages = try #require(HTTPHeaders.default["Accept-Language"])
        #expect(languages.contains(";q=1.0"))
        #expect((1...6).contains(languages.split(separator: ",").count))
    }
}
