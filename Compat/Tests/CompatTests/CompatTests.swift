import Alamofire
import LinchpinTesting
import Moya
import Testing

/// An API as it is written for Moya.
private enum Shop {
    case greeting(name: String)
    case order(id: Int)
    case account(api: AccountAPI)
}

private enum AccountAPI {
    case me
}

extension Shop: TargetType, AccessTokenAuthorizable {
    static var server = URL(fileURLWithPath: "/")

    var baseURL: URL { Shop.server.appendingPathComponent("/v1/") }

    var path: String {
        switch self {
        case .greeting: return "greeting"
        case .order(let id): return "orders/\(id)"
        case .account(api: let api): return api.path
        }
    }

    var method: Moya.Method {
        switch self {
        case .order: return .post
        default: return .get
        }
    }

    var task: Task {
        switch self {
        case .greeting(let name):
            var parameters: [String: Any] = [:]
            parameters["name"] = name
            return .requestParameters(parameters: parameters, encoding: URLEncoding.default)
        case .order(let id):
            return .requestCompositeParameters(
                bodyParameters: ["id": id],
                bodyEncoding: JSONEncoding.default,
                urlParameters: ["dry": true]
            )
        case .account: return .requestPlain
        }
    }

    var headers: [String: String]? { ["Token": "用户"] }

    var authorizationType: AuthorizationType? {
        switch self {
        case .account: return .bearer
        default: return nil
        }
    }
}

extension AccountAPI {
    var path: String { "me" }
}

extension MoyaProvider {
    /// An extension that speaks of its own type, as an alias could not.
    static func custom(session: Moya.Session, plugins: [PluginType] = []) -> MoyaProvider {
        MoyaProvider(requestClosure: ShopTools<Target>.requestClosure, session: session, plugins: plugins)
    }

    func send(_ target: Target, finish: @escaping (String) -> Void) {
        request(target, callbackQueue: .none, progress: .none) { result in
            switch result {
            case .success(let response): finish((try? response.mapString()) ?? "no text")
            case .failure(MoyaError.underlying(let error, _)): finish(error.asAFError.map { "\($0)" } ?? "other")
            case .failure(let error): finish(error.errorDescription ?? "")
            }
        }
    }
}

private struct ShopTools<Target: TargetType> {
    static func requestClosure(for endpoint: Endpoint, closure: MoyaProvider<Target>.RequestResultClosure) {
        do {
            var request = try endpoint.urlRequest()
            request.timeoutInterval = 20
            closure(.success(request))
        } catch MoyaError.requestMapping(let url) {
            closure(.failure(MoyaError.requestMapping(url)))
        } catch {
            closure(.failure(MoyaError.underlying(error, nil)))
        }
    }
}

/// A manager of the caller's own, as Alamofire lets one be made.
private final class OwnManager: ServerTrustManager, @unchecked Sendable {
    override func serverTrustEvaluator(forHost host: String) throws -> ServerTrustEvaluating? {
        try super.serverTrustEvaluator(forHost: host)
    }
}

private func text(_ provider: MoyaProvider<Shop>, _ target: Shop) async -> String {
    await withCheckedContinuation { continuation in provider.send(target) { continuation.resume(returning: $0) } }
}

@Suite(.serialized) struct CompatTests {
    private let identity: ServerIdentity
    private let server: LocalTLSServer

    init() throws {
        identity = try LocalCertificateAuthority.selfSigned()
        server = try LocalTLSServer(identity: identity) { request in
            let fields = ["Token", "Authorization"].compactMap { request.header($0) }.joined(separator: " ")
            return .text(
                "\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self)) \(fields)"
            )
        }
        Shop.server = server.url(host: "localhost", path: "")
    }

    private func session(
        pinning certificate: SecCertificate,
        manager: (PinnedCertificatesTrustEvaluator) -> ServerTrustManager
    )
        -> Session
    {
        let configuration = MoyaProvider<Shop>.defaultAlamofireSession().sessionConfiguration
        let evaluator = PinnedCertificatesTrustEvaluator(
            certificates: [certificate],
            acceptSelfSignedCertificates: true,
            performDefaultValidation: true,
            validateHost: true
        )
        return Session(configuration: configuration, serverTrustManager: manager(evaluator))
    }

    @Test func `targets reach a server that is pinned by a certificate's bytes`() async throws {
        let data = identity.certificate.der as CFData
        let certificate = try #require(SecCertificateCreateWithData(nil, data))
        let session = session(pinning: certificate) {
            OwnManager(allHostsMustBeEvaluated: false, evaluators: ["localhost": $0])
        }
        #expect(session.serverTrustManager is OwnManager)
        let provider = MoyaProvider<Shop>.custom(session: session, plugins: [AccessTokenPlugin { _ in "t0ken" }])
        #expect(await text(provider, .greeting(name: "a b")) == "GET /v1/greeting?name=a%20b  用户")
        #expect(await text(provider, .order(id: 7)) == #"POST /v1/orders/7?dry=1 {"id":7} 用户"#)
        #expect(await text(provider, .account(api: .me)) == "GET /v1/me  用户 Bearer t0ken")
        #expect(server.log.requests.first?.header("Accept-Language")?.isEmpty == false)
    }

    @Test func `a server with another certificate gets no byte`() async throws {
        let other = try LocalCertificateAuthority.selfSigned().certificate
        let session = session(pinning: other) { ServerTrustManager(evaluators: ["localhost": $0]) }
        let provider = MoyaProvider<Shop>.custom(session: session)
        #expect(await text(provider, .greeting(name: "x")).contains("refused"))
        #expect(server.log.requests.isEmpty)
    }

    @Test(arguments: [
        ServerTrustManager(evaluators: [:]),
        ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["https://localhost/": DisabledTrustEvaluator()]
        ),
    ])
    func `a table without the host, or with a mistake, lets nothing pass`(_ manager: ServerTrustManager) async throws {
        let provider = MoyaProvider<Shop>.custom(
            session: Session(configuration: .af.default, serverTrustManager: manager)
        )
        #expect(await text(provider, .greeting(name: "x")).contains("refused"))
        #expect(server.log.requests.isEmpty)
    }

    @Test func `stubs and names are Moya's`() throws {
        var answer = ""
        let provider = MoyaProvider<Shop>(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: { .networkResponse(200, Data("{\"a\":[1]}".utf8)) },
                    method: target.method,
                    task: target.task,
                    httpHeaderFields: target.headers
                ).adding(newHTTPHeaderFields: ["X": "1"])
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
        provider.send(.greeting(name: "x")) { answer = $0 }
        #expect(answer == "{\"a\":[1]}")
        #expect(HTTPHeaders.default.map(\.name).sorted() == ["Accept-Encoding", "Accept-Language", "User-Agent"])
        #expect(Bundle.main.af.certificates.isEmpty)
        let error: Error = AFError.explicitlyCancelled
        #expect(error.asAFError?.isExplicitlyCancelledError == true)
    }
}
