internal import Foundation
internal import FoundationNetworking
internal import Synchronization

/// A response without its body. What is made of it is made for the first who looks, off the loop's thread if nobody
/// looks there: Foundation takes longer over a response than libcurl over a request.
final class ResponseHead: Sendable {
    let statusCode: Int
    private let raw: Raw?
    private let made: Mutex<Made>

    private struct Raw: Sendable {
        let url: URL
        let httpVersion: String
        let fields: RawFields
    }

    private struct Made {
        var response: HTTPURLResponse?
        var headers: HTTPHeaders?
    }

    /// A response as libcurl read it.
    init(url: URL, statusCode: Int, httpVersion: String, fields: RawFields) {
        self.statusCode = statusCode
        raw = Raw(url: url, httpVersion: httpVersion, fields: fields)
        made = Mutex(Made())
    }

    /// A response that is made already.
    init(response: HTTPURLResponse, headers: HTTPHeaders) {
        statusCode = response.statusCode
        raw = nil
        made = Mutex(Made(response: response, headers: headers))
    }

    /// The same; nil where there is none.
    convenience init?(response: HTTPURLResponse?, headers: HTTPHeaders) {
        guard let response else { return nil }
        self.init(response: response, headers: headers)
    }

    /// The fields in their order, repeated ones kept.
    var headers: HTTPHeaders { made.withLock { headers(&$0) } }

    /// The response as Foundation has it.
    var response: HTTPURLResponse? {
        made.withLock { made in
            if let response = made.response { return response }
            guard let raw else { return nil }
            let response = HTTPURLResponse(
                url: raw.url,
                statusCode: statusCode,
                httpVersion: raw.httpVersion,
                headerFields: headers(&made).dictionary
            )
            made.response = response
            return response
        }
    }

    private func headers(_ made: inout Made) -> HTTPHeaders {
        if let headers = made.headers { return headers }
        let headers = raw?.fields.headers ?? []
        made.headers = headers
        return headers
    }
}
