import Foundation
import LinchpinProvider
import LinchpinSession

/// An API as users write it.
enum Library: TargetType, AccessTokenAuthorizable {
    case home
    case book(id: Int)
    case signIn(user: String, password: String)
    case search(Parameters)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "" }
    var method: HTTPMethod { .post }
    var task: RequestTask {
        switch self {
        case .home, .book, .signIn: .requestPlain
        case .search(let filter): .requestParameters(parameters: filter, encoding: JSONEncoding.default)
        }
    }
    var headers: [String: String]? { nil }
    var authorizationType: AuthorizationType? { nil }
}
