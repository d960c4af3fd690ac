public import Foundation
internal import FoundationNetworking

extension Session {
    /// Downloads to a file.
    ///
    /// - Parameters:
    ///   - convertible: the URL, `http` or `https`.
    ///   - method: GET by default.
    ///   - parameters: what `encoding` puts into the query or the body; nothing by default.
    ///   - encoding: ``URLEncoding/default`` by default.
    ///   - headers: fields of this request, over the session's.
    ///   - timeouts: time-outs of this request, over the session's.
    ///   - interceptor: changes this request, before the session's interceptor.
    ///   - requestModifier: changes the URL request before the parameters are encoded.
    ///   - destination: says where the file goes; it stays a temporary one by default.
    public func download(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        let request = EncodedRequest(convertible, method, parameters, encoding, headers, requestModifier)
        return download(request, timeouts: timeouts, interceptor: interceptor, to: destination)
    }

    /// Downloads to a file, with a request of the caller's making.
    public func download(
        _ convertible: any URLRequestConvertible,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        DownloadRequest(
            convertible,
            continuing: nil,
            destination: destination,
            options: options(timeouts, interceptor),
            session: self
        )
    }

    /// Downloads what an earlier download is missing; all of it, where it has changed since (`If-Range`, RFC 9110
    /// §13.1.5).
    ///
    /// - Parameters:
    ///   - data: the resume data of the earlier one.
    ///   - interceptor: changes this request, before the session's interceptor: what the earlier one was authorized
    ///     with is not kept in the data.
    ///   - destination: says where the file goes; it stays a temporary one by default.
    /// - Throws: ``SessionError`` `.createURLRequestFailed` for data that is none, or when the file that the earlier
    ///   download left is gone.
    public func download(
        resumingWith data: Data,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) throws(SessionError) -> DownloadRequest {
        let earlier = try PartialDownload(resumeData: data)
        return DownloadRequest(
            ResumedRequest(request: EncodedRequest(earlier.url, .get, headers, nil), earlier: earlier),
            continuing: earlier,
            destination: destination,
            options: options(timeouts, interceptor),
            session: self
        )
    }
}
