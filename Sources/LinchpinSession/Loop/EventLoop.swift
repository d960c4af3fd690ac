internal import Foundation
internal import FoundationNetworking
internal import LinchpinTrust

final class EventLoop: Sendable {
    init(configuration: SessionConfiguration, serverTrustManager: ServerTrustManager?) {}
    func stop(with error: SessionError) {}
    func stopAndWait(with error: SessionError) async {}
    func start(_ exchange: Exchange) {}
    func cancel(_ request: DataRequest) {}
}
