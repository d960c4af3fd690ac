internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

/// A request and its answer as they are kept in a file, without their secrets.
struct RecordedExchange: Codable, Sendable {
    struct Field: Codable, Hashable, Sendable {
        let name: String
        let value: String
    }

    struct Request: Codable, Sendable {
        let method: String
        let url: String
        let headers: [Field]
    }

    struct Answer: Codable, Sendable {
        let status: Int
        let headers: [Field]
        /// The body, where it is UTF-8.
        let text: String?
        /// The body in Base64, where it is not.
        let base64: String?

        var body: Data { text.map { Data($0.utf8) } ?? base64.flatMap { Data(base64Encoded: $0) } ?? Data() }
    }

    let request: Request
    let answer: Answer

    /// Nil for a request without a URL.
    init?(_ request: URLRequest, _ response: Response, hiding secrets: SecretRules) {
        guard let url = request.url else { return nil }
        self.request = Request(
            method: request.httpMethod ?? "GET",
            url: secrets.url(url),
            headers: secrets.fields(request.allHTTPHeaderFields ?? [:])
        )
        let body = secrets.body(response.data, type: response.response?.value(forHTTPHeaderField: "Content-Type"))
        let text = String(data: body, encoding: .utf8)
        let fields = (response.response?.allHeaderFields ?? [:]).map { ("\($0.key)", "\($0.value)") }
        answer = Answer(
            status: response.statusCode,
            headers: secrets.fields(Dictionary(fields) { $1 }),
            text: text,
            base64: text == nil ? body.base64EncodedString() : nil
        )
    }

    /// What answers in the place of the server. Fields that spoke of the body as it came over the wire are left out.
    func sample(for url: URL) -> EndpointSampleResponse {
        let wire: Set<String> = ["content-encoding", "content-length", "transfer-encoding"]
        let kept = answer.headers.filter { !wire.contains($0.name.lowercased()) }.map { ($0.name, $0.value) }
        let response = HTTPURLResponse(
            url: url,
            statusCode: answer.status,
            httpVersion: "HTTP/1.1",
            headerFields: Dictionary(kept) { $1 }
        )
        return response.map { .response($0, answer.body) } ?? .networkResponse(answer.status, answer.body)
    }
}
