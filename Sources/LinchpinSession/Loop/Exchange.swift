internal import Foundation
internal import FoundationNetworking

final class Exchange: Sendable {
    init(request: URLRequest, options: RequestOptions, owner: DataRequest) {}
}
