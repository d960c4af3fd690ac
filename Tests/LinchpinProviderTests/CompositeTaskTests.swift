import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession
import Testing

@Suite struct CompositeTaskTests {
    private func request(_ task: RequestTask, method: HTTPMethod = .post) throws -> URLRequest {
        try Endpoint(
            url: "http://h/p?k=1",
            sampleResponseClosure: { .networkResponse(200, Data()) },
            method: method,
            task: task,
            httpHeaderFields: nil
        ).urlRequest()
    }

    private func composite(_ encoding: any ParameterEncoding) -> RequestTask {
        .requestCompositeParameters(
            bodyParameters: ["b": "x y"],
            bodyEncoding: encoding,
            urlParameters: ["q": "1+1", "a": 2]
        )
    }

    @Test func `bytes go into the body and parameters into the query`() throws {
        let request = try request(.requestCompositeData(bodyData: Data("raw".utf8), urlParameters: ["q": "ü"]))
        #expect(request.url?.absoluteString == "http://h/p?k=1&q=%C3%BC")
        #expect(request.httpBody == Data("raw".utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test(
        arguments: [
            (URLEncoding.httpBody, "b=x%20y", "application/x-www-form-urlencoded; charset=utf-8"),
            (JSONEncoding.default, #"{"b":"x y"}"#, "application/json"),
        ] as [(any ParameterEncoding, String, String)]
    )
    func `two sets of parameters go two ways`(
        _ encoding: any ParameterEncoding,
        _ body: String,
        _ type: String
    ) throws {
        let request = try request(composite(encoding))
        #expect(request.url?.absoluteString == "http://h/p?k=1&a=2&q=1%2B1")
        #expect(request.httpBody == Data(body.utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == type)
    }

    /// Writes into the query, whatever it is asked for.
    private struct QueryWriter: ParameterEncoding {
        func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
            try URLEncoding.queryString.encode(urlRequest, with: parameters)
        }
    }

    @Test(arguments: [URLEncoding.default, URLEncoding.queryString, QueryWriter()] as [any ParameterEncoding])
    func `a body encoding that is not for bodies is an error that names it`(
        _ encoding: any ParameterEncoding
    ) async throws {
        let error = #expect(throws: ProviderError.self) { try request(composite(encoding)) }
        guard case .parameterEncoding(let cause as BodyEncodingError) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause.description.contains("URLEncoding.httpBody"))
        let provider = EndpointProvider<Call>(stubClosure: EndpointProvider.immediatelyStub)
        let call = Call("http://h") { $0.task = composite(encoding) }
        guard case .failure(.parameterEncoding(let named as TargetError)) = await provider.outcome(of: call) else {
            Issue.record("no error that names the target")
            return
        }
        #expect(named.field == "task.bodyEncoding")
    }
}
