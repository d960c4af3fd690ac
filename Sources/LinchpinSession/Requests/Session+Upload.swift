public import Foundation
internal import FoundationNetworking

extension Session {
    /// Uploads data.
    ///
    /// - Parameters:
    ///   - data: the whole body.
    ///   - convertible: the URL, `http` or `https`.
    ///   - method: POST by default.
    ///   - headers: fields of this request, over the session's. No `Content-Type` is added.
    ///   - timeouts: time-outs of this request, over the session's.
    ///   - interceptor: changes this request, before the session's interceptor.
    ///   - requestModifier: changes the URL request.
    public func upload(
        _ data: Data,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = EncodedRequest(convertible, method, headers, requestModifier)
        return upload(data, with: request, timeouts: timeouts, interceptor: interceptor)
    }

    /// Uploads data with a request of the caller's making, whose own body is not looked at.
    public func upload(
        _ data: Data,
        with convertible: any URLRequestConvertible,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil
    ) -> UploadRequest {
        upload(.data(data), convertible, timeouts, interceptor)
    }

    /// Uploads a file, which is read as it is sent; it must not become shorter meanwhile.
    ///
    /// Where it cannot be opened, the request ends with `.createUploadableFailed`, and nothing is sent. The parameters
    /// are those of an upload of data.
    public func upload(
        _ fileURL: URL,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = EncodedRequest(convertible, method, headers, requestModifier)
        return upload(fileURL, with: request, timeouts: timeouts, interceptor: interceptor)
    }

    /// Uploads a file with a request of the caller's making, whose own body is not looked at.
    public func upload(
        _ fileURL: URL,
        with convertible: any URLRequestConvertible,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil
    ) -> UploadRequest {
        upload(.file(fileURL), convertible, timeouts, interceptor)
    }

    /// Uploads a stream, in chunks, as it gives its bytes.
    ///
    /// The stream is the session's from now on: it is opened, read and closed on a queue of its own, once. Where the
    /// request would have to be sent again, after a redirect or by a retrier, it fails. The other parameters are those
    /// of an upload of data.
    public func upload(
        _ stream: sending InputStream,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = EncodedRequest(convertible, method, headers, requestModifier)
        return upload(stream, with: request, timeouts: timeouts, interceptor: interceptor)
    }

    /// Uploads a stream with a request of the caller's making, whose own body is not looked at.
    public func upload(
        _ stream: sending InputStream,
        with convertible: any URLRequestConvertible,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil
    ) -> UploadRequest {
        upload(.stream(StreamBody(stream)), convertible, timeouts, interceptor)
    }

    func upload(
        _ uploadable: Uploadable,
        _ convertible: any URLRequestConvertible,
        _ timeouts: Timeouts?,
        _ interceptor: (any RequestInterceptor)?
    ) -> UploadRequest {
        UploadRequest(
            convertible,
            uploadable: uploadable,
            options: options(timeouts, interceptor),
            session: self
        )
    }
}
