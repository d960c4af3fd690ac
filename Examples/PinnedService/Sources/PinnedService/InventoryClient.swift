import Foundation
import Linchpin

/// A client of an internal service whose certificate an authority of the company's own has issued.
struct InventoryClient {
    struct Item: Codable {
        let id: Int
        let name: String
    }

    private let service: URL
    private let session: Session

    /// - Parameters:
    ///   - service: the service's URL, https.
    ///   - authorityFile: the company's authority, PEM. The system's roots are not asked.
    ///   - pin: the key that the service or its authority must have, `sha256/…`.
    ///   - token: sent with each request, and to nobody else.
    init(service: URL, authorityFile: String, pin: String, token: String) throws {
        let evaluator = try PublicKeyPinsTrustEvaluator(
            pins: [pin],
            requiresBackupPin: false,
            roots: .certificates(Certificate.certificates(contentsOfFile: authorityFile))
        )
        var configuration = SessionConfiguration()
        configuration.timeouts.request = 10
        self.service = service
        session = Session(
            configuration: configuration,
            interceptor: Interceptor(adapters: [HeaderAdapter(["Authorization": "Bearer \(token)"])]),
            serverTrustManager: try ServerTrustManager(evaluators: [service.host() ?? "": evaluator])
        )
    }

    func items() async throws -> [Item] {
        try await session.request(service.appending(path: "items")).validate().serializingDecodable([Item].self).value
    }

    func add(_ name: String) async throws -> Item {
        let request = session.request(
            service.appending(path: "items"),
            method: .post,
            parameters: ["name": name],
            encoding: JSONEncoding.default
        )
        return try await request.validate().serializingDecodable(Item.self).value
    }
}
