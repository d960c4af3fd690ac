internal import Foundation
internal import FoundationNetworking
internal import LinchpinSession

extension Endpoint: Hashable {
    /// Whether both send the same: the request that is made of them, and the file or the very form that is sent beside it. Where no
    /// request can be made, whether they say the same. Samples and the destinations of downloads are not compared.
    public static func == (left: Endpoint, right: Endpoint) -> Bool { left.content == right.content }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(content) }

    /// What is compared.
    private var content: Content {
        var file: URL?
        var form: ObjectIdentifier?
        switch task {
        case .uploadFile(let url): file = url
        case .uploadMultipartFormData(let data), .uploadCompositeMultipartFormData(let data, _):
            form = ObjectIdentifier(data)
        default: break
        }
        if let request = try? urlRequest() { return .request(URLRequest.Content(request), file: file, form: form) }
        return .none(url: url, method: method.rawValue, headers: httpHeaderFields ?? [:])
    }

    private enum Content: Hashable {
        case request(URLRequest.Content, file: URL?, form: ObjectIdentifier?)
        case none(url: String, method: String, headers: [String: String])
    }
}
