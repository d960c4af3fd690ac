/// What a request carries. Swift's own is `_Concurrency.Task` where Moya is imported.
public typealias Task = RequestTask
/// A request's method.
public typealias Method = HTTPMethod
/// Why a provider gave no response, or a response no value.
public typealias MoyaError = ProviderError
/// Takes what came of a request.
public typealias Completion = @Sendable (Result<Response, MoyaError>) -> Void
/// Takes how far a request has come.
public typealias ProgressBlock = @Sendable (ProgressResponse) -> Void
/// A form.
public typealias RequestMultipartFormData = MultipartFormData
/// Says where a download goes.
public typealias DownloadDestination = DownloadRequest.Destination
