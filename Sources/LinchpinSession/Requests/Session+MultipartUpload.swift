internal import Foundation
internal import FoundationNetworking

extension Session {
    /// Uploads a form, read part by part as it is sent: a file in it costs no memory.
    ///
    /// The request's `Content-Type` is the form's. A form with a stream in it can be sent once only.
    ///
    /// - Parameters:
    ///   - multipartFormData: the form.
    ///   - convertible: the URL, `http` or `https`.
    ///   - method: POST by default.
    ///   - headers: fields of this request, over the session's.
    ///   - timeouts: time-outs of this request, over the session's.
    ///   - interceptor: changes this request, before the session's interceptor.
    ///   - requestModifier: changes the URL request.
    public func upload(
        multipartFormData: MultipartFormData,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let request = EncodedRequest(convertible, method, headers, requestModifier)
        return upload(
            multipartFormData: multipartFormData,
            with: request,
            timeouts: timeouts,
            interceptor: interceptor
        )
    }

    /// Uploads a form with a request of the caller's making, whose own body is not looked at.
    public func upload(
        multipartFormData: MultipartFormData,
        with convertible: any URLRequestConvertible,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil
    ) -> UploadRequest {
        let request = MultipartRequest(request: convertible, contentType: multipartFormData.contentType)
        return upload(.form(multipartFormData), request, timeouts, interceptor)
    }

    /// Uploads a form that a closure fills, on the calling thread; else the same.
    public func upload(
        multipartFormData: (MultipartFormData) -> Void,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        let form = MultipartFormData()
        multipartFormData(form)
        return upload(
            multipartFormData: form,
            to: convertible,
            method: method,
            headers: headers,
            timeouts: timeouts,
            interceptor: interceptor,
            requestModifier: requestModifier
        )
    }

    /// Uploads a form that a closure fills, on the calling thread, with a request of the caller's making.
    public func upload(
        multipartFormData: (MultipartFormData) -> Void,
        with convertible: any URLRequestConvertible,
        timeouts: Timeouts? = nil,
        interceptor: (any RequestInterceptor)? = nil
    ) -> UploadRequest {
        let form = MultipartFormData()
        multipartFormData(form)
        return upload(multipartFormData: form, with: convertible, timeouts: timeouts, interceptor: interceptor)
    }
}

/// A request that says what its form is.
private struct MultipartRequest: URLRequestConvertible {
    let request: any URLRequestConvertible
    let contentType: String

    func asURLRequest() throws -> URLRequest {
        var request = try request.asURLRequest()
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        return request
    }
}
