public import Foundation
public import LinchpinSession

/// One request of an API; usually a case of an enum that describes the whole API.
///
/// ```swift
/// enum Library: TargetType {
///     case book(id: Int)
///     case search(String)
///
///     var baseURL: URL { URL(string: "https://api.example.com/v1")! }
///     var path: String { switch self { case .book(let id): "books/\(id)"; case .search: "books" } }
///     var method: HTTPMethod { .get }
///     var task: RequestTask {
///         switch self {
///         case .book: .requestPlain
///         case .search(let text): .requestParameters(parameters: ["q": text], encoding: URLEncoding.default)
///         }
///     }
///     var headers: [String: String]? { nil }
/// }
/// ```
///
/// The properties are read on the thread that makes the request, ``validationType`` on the one where it ends.
public protocol TargetType: Sendable {
    /// The URL that ``path`` is appended to; a query in it is kept.
    var baseURL: URL { get }
    /// Plain text, appended to ``baseURL`` and escaped once: `%` becomes `%25`, and `?` `%3F`, since a query belongs
    /// to the ``task``. An empty path leaves the base URL as it is.
    var path: String { get }
    /// The request's method.
    var method: HTTPMethod { get }
    /// What a stub answers; nothing by default.
    var sampleData: Data { get }
    /// What the request carries.
    var task: RequestTask { get }
    /// Which status codes are a success; all of them by default.
    var validationType: ValidationType { get }
    /// Fields of this request, over those of the session.
    var headers: [String: String]? { get }
}

extension TargetType {
    /// Nothing.
    public var sampleData: Data { Data() }

    /// ``ValidationType/none``.
    public var validationType: ValidationType { .none }
}
