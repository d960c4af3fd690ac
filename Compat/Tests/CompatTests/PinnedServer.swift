import Alamofire
import LinchpinTesting
import Moya

/// A server with a self-signed certificate, as the articles' apps have one, and sessions that pin its bytes.
struct PinnedServer {
    let server: LocalTLSServer
    private let identity: ServerIdentity

    init(_ handler: @escaping @Sendable (LocalTLSServer.Request) -> LocalTLSServer.Response) throws {
        identity = try LocalCertificateAuthority.selfSigned()
        server = try LocalTLSServer(identity: identity, handler: handler)
    }

    /// The server's root, without a slash at the end.
    var root: URL { server.url(host: "localhost", path: "") }

    /// What the app bundles, read as it reads it.
    var certificates: [SecCertificate] {
        let data = SecCertificateCopyData(identity.certificate) as Data
        return SecCertificateCreateWithData(nil, data as CFData).map { [$0] } ?? []
    }

    func evaluators(_ certificates: [SecCertificate]? = nil) -> [String: ServerTrustEvaluating] {
        [
            "localhost": PinnedCertificatesTrustEvaluator(
                certificates: certificates ?? self.certificates,
                acceptSelfSignedCertificates: true,
                performDefaultValidation: true,
                validateHost: true
            )
        ]
    }

    /// A session that reaches this server and no other.
    func session(startRequestsImmediately: Bool = true) -> Moya.Session {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        return Session(
            configuration: configuration,
            startRequestsImmediately: startRequestsImmediately,
            serverTrustManager: ServerTrustManager(evaluators: evaluators())
        )
    }

    /// The requests so far: method, path and query, body.
    var lines: [String] {
        server.log.requests.map { "\($0.method) \($0.target) \(String(decoding: $0.body, as: UTF8.self))" }
    }
}
