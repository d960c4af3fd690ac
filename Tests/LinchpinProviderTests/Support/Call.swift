import Foundation
import LinchpinProvider
import LinchpinSession

/// A target of any kind.
struct Call: TargetType, AccessTokenAuthorizable {
    var baseURL: URL
    var path = ""
    var method = HTTPMethod.get
    var task = RequestTask.requestPlain
    var headers: [String: String]?
    var sampleData = Data("sample".utf8)
    var validationType = ValidationType.none
    var authorizationType: AuthorizationType?

    init(_ baseURL: String, _ change: (inout Call) -> Void = { _ in }) {
        self.init(URL(string: baseURL) ?? URL(fileURLWithPath: "/"), change)
    }

    init(_ baseURL: URL, _ change: (inout Call) -> Void = { _ in }) {
        self.baseURL = baseURL
        change(&self)
    }
}
