internal import FoundationNetworking

/// A request for what is missing of a download (RFC 9110 §14.2).
struct ResumedRequest: URLRequestConvertible {
    let request: any URLRequestConvertible
    let earlier: PartialDownload

    func asURLRequest() throws -> URLRequest {
        var request = try request.asURLRequest()
        request.setValue("bytes=\(earlier.byteCount)-", forHTTPHeaderField: "Range")
        // The whole representation comes where it is not the same any more.
        request.setValue(earlier.validator, forHTTPHeaderField: "If-Range")
        // Ranges are counted in what is sent: a coding would not fit what is there.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        return request
    }
}
