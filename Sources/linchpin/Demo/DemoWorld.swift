internal import Foundation
internal import Linchpin
internal import LinchpinTesting

/// What all rows of the demo share: an authority, a token, and how a request is sent and judged.
struct DemoWorld: Sendable {
    let authority: LocalCertificateAuthority
    /// A good identity for this machine's names.
    let identity: ServerIdentity
    /// What no server may learn but the right one.
    let token = "demo-\(UUID().uuidString)"
    private let pin: String?

    /// - Parameters:
    ///   - pin: what is expected in place of the servers' own pins; nil for theirs.
    init(pin: String?) throws {
        authority = try LocalCertificateAuthority(name: "Demo Root")
        identity = try authority.intermediate(name: "Demo Intermediate").issue()
        self.pin = pin
    }

    var roots: TrustRoots { .certificates([authority.certificate]) }

    /// Expects the key of `expected` under the demo's root.
    func pinning(_ expected: ServerIdentity) throws -> PublicKeyPinsTrustEvaluator {
        try PublicKeyPinsTrustEvaluator(pins: [pin ?? expected.pin.description], requiresBackupPin: false, roots: roots)
    }

    /// Expects the key of `expected` and nothing else but the right host: for self-signed servers.
    func pinningAlone(_ expected: ServerIdentity) throws -> PublicKeyPinsTrustEvaluator {
        try PublicKeyPinsTrustEvaluator(
            pins: [pin ?? expected.pin.description],
            requiresBackupPin: false,
            performDefaultValidation: false
        )
    }

    /// Expects a key that no server has.
    func pinningNobody() throws -> PublicKeyPinsTrustEvaluator {
        let digest = Data(repeating: 0, count: 32).base64EncodedString()
        return try PublicKeyPinsTrustEvaluator(pins: ["sha256/\(digest)"], requiresBackupPin: false, roots: roots)
    }

    /// A provider that puts the token into every request and judges `localhost` by `evaluator`.
    func provider(
        _ evaluators: [String: any ServerTrustEvaluating],
        timeouts: Timeouts = Timeouts(connect: 5, idle: 5, request: 10)
    ) throws -> (provider: EndpointProvider<DemoTarget>, manager: ServerTrustManager) {
        let manager = try ServerTrustManager(evaluators: evaluators)
        var configuration = SessionConfiguration()
        configuration.timeouts = timeouts
        let provider = EndpointProvider<DemoTarget>(
            session: Session(configuration: configuration, serverTrustManager: manager),
            plugins: [AccessTokenPlugin { [token] _ in token }]
        )
        return (provider, manager)
    }

    /// Sends a request and looks at what reached `server` of it.
    func attempt(
        _ provider: EndpointProvider<DemoTarget>,
        _ url: URL,
        watching server: LocalTLSServer
    ) async -> DemoAttempt {
        let before = server.log
        let result: Result<Response, ProviderError>
        do throws(ProviderError) {
            result = .success(try await provider.request(DemoTarget(baseURL: url)))
        } catch {
            result = .failure(error)
        }
        // A connection that was refused is closed by now or very soon, and no byte can come any more.
        if case .failure = result { _ = await server.waitUntil(timeout: 5) { $0.openConnections == 0 } }
        let after = server.log
        return DemoAttempt(
            result: result,
            httpBytes: after.bytesReceived - before.bytesReceived,
            sawToken: after.requests.dropFirst(before.requests.count)
                .contains { $0.headers.contains { $0.value.contains(token) } }
        )
    }
}

/// The demo's one endpoint: it wants a token.
struct DemoTarget: TargetType, AccessTokenAuthorizable {
    let baseURL: URL
    var path: String { "/account" }
    var method: HTTPMethod { .get }
    var task: RequestTask { .requestPlain }
    var headers: [String: String]? { nil }
    var authorizationType: AuthorizationType? { .bearer }
}

/// What came of one request.
struct DemoAttempt: Sendable {
    let result: Result<Response, ProviderError>
    /// How many bytes of HTTP the watched server saw of it.
    let httpBytes: Int
    /// Whether the token was among them.
    let sawToken: Bool
}
