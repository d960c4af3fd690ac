import Moya

/// What every answer of the shop is wrapped in.
struct Answer<Value: Decodable>: Decodable {
    let code: Int
    let message: String
    let data: Value?
}

/// What a login gives.
struct Login: Codable {
    let token: String
}

/// The token of whoever is signed in.
final class Account: @unchecked Sendable {
    static let shared = Account()
    private let lock = NSLock()
    private var kept = ""

    var token: String {
        get { lock.withLock { kept } }
        set { lock.withLock { kept = newValue } }
    }
}

extension MoyaProvider {
    /// The provider that the app uses everywhere: one session, pinned, and the plugins.
    static func shop(pinning certificates: [SecCertificate], log: @escaping @Sendable (String) -> Void) -> MoyaProvider
    {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        configuration.timeoutIntervalForRequest = 10
        let manager = ServerTrustManager(evaluators: [
            "localhost": PinnedCertificatesTrustEvaluator(
                certificates: certificates,
                acceptSelfSignedCertificates: true,
                performDefaultValidation: true,
                validateHost: true
            )
        ])
        return MoyaProvider(
            session: Session(
                configuration: configuration,
                startRequestsImmediately: false,
                serverTrustManager: manager
            ),
            plugins: [
                AccessTokenPlugin { _ in Account.shared.token },
                NetworkLoggerPlugin(
                    configuration: .init(output: { _, items in items.forEach(log) }, logOptions: .verbose)
                ),
            ]
        )
    }

    /// The three ends of a request, as a screen wants them.
    func send<Value: Decodable>(
        _ target: Target,
        as type: Value.Type,
        success: @escaping @Sendable (Value?, String) -> Void,
        failure: @escaping @Sendable (MoyaError) -> Void
    ) {
        request(target) { result in
            switch result {
            case .success(let response):
                do {
                    let answer = try response.filterSuccessfulStatusCodes().map(Answer<Value>.self)
                    success(answer.data, answer.message)
                } catch {
                    failure(error as? MoyaError ?? .underlying(error, nil))
                }
            case .failure(let error): failure(error)
            }
        }
    }
}
