internal import Foundation
internal import FoundationNetworking
internal import Synchronization

/// A response without its body. What is made of it is made for the first who looks, off the loop's thread if nobody
/// looks there: Foundation takes longer over a response than libcurl over a request.
final class ResponseHead: Sendable {
    let statusCode: Int
    private let made: Mutex<Made>

    private struct Raw: Sendable {
        let url: URL
        let httpVersion: String
        let fields: RawFields
    }

    private struct Made {
        /// What the rest is made of; nil where it was made elsewhere.
        var raw: Raw?
        var response: HTTPURLResponse?
        var headers: HTTPHeaders?
    }

    /// A response as libcurl read it.
    init(url: URL, statusCode: Int, httpVersion: String, fields: RawFields) {
        self.statusCode = statusCode
        made = Mutex(Made(raw: Raw(url: url, httpVersion: httpVersion, fields: fields)))
    }

    /// A response that is made already.
    init(response: HTTPURLResponse, headers: HTTPHeaders) {
        statusCode = response.statusCode
        made = Mutex(Made(response: response, headers: headers))
    }

    /// The same; nil where there is none.
    convenience init?(response: HTTPURLResponse?, headers: HTTPHeaders) {
        guard let response else { return nil }
        self.init(response: response, headers: headers)
    }

    /// The fields in their order, repeated ones kept.
    var headers: HTTPHeaders { made.withLock { Self.headers(&$0) } }

    /// The response as Foundation has it.
    var response: HTTPURLResponse {
        made.withLock { made in
            if let response = made.response { return response }
            guard let raw = made.raw,
                let response = HTTPURLResponse(
                    url: raw.url,
                    statusCode: statusCode,
                    httpVersion: raw.httpVersion,
                    headerFields: Self.headers(&made).dictionary
                )
                // Failable in its signature only: on Linux no path of this initialiser ends in nil.
            else { fatalError("Foundation makes a response of every URL, status and field") }
            made.response = response
            return response
        }
    }

    private static func headers(_ made: inout Made) -> HTTPHeaders {
        if let headers = made.headers { return headers }
        let headers = made.raw?.fields.headers ?? []
        made.headers = headers
        return headers
    }
}
