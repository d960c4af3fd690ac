public import FoundationNetworking
internal import Synchronization

/// Answers every request of a provider by a closure, and remembers them: for tests without a network.
///
/// ```swift
/// let stubs = StubbedSession { request in
///     request.url?.path == "/v1/books/1"
///         ? .networkResponse(200, Data(#"{"title":"Ulysses"}"#.utf8)) : .networkResponse(404, Data())
/// }
/// let provider = EndpointProvider<Library>(answeredBy: stubs)
/// let book = try await provider.request(.book(id: 1)).map(Book.self)
/// // stubs.requests has what was asked, with the fields of all plugins.
/// ```
///
/// Safe to use from any thread.
public final class StubbedSession: ResponseSource {
    /// Makes an answer, or throws what the request ends with.
    public typealias Handler = @Sendable (URLRequest) throws -> EndpointSampleResponse

    private let handler: Handler
    private let asked = Mutex<[URLRequest]>([])

    /// Makes a source of answers.
    ///
    /// - Parameters:
    ///   - handler: called once for each request, where the completion is called.
    @preconcurrency
    public init(handler: @escaping Handler) { self.handler = handler }

    /// The requests so far, as the plugins made them. They hold the secrets that would have been sent.
    public var requests: [URLRequest] { asked.withLock { $0 } }

    /// What the handler answers.
    public func response(to request: URLRequest) throws -> EndpointSampleResponse {
        asked.withLock { $0.append(request) }
        return try handler(request)
    }
}
