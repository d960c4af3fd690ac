import Foundation
import LinchpinProvider
import LinchpinSession
import LinchpinTesting
import LinchpinTrust

/// A TLS server for `localhost` and a session that accepts its key and nothing else.
struct World {
    let server: LocalTLSServer
    let session: Session

    init(
        configuration: SessionConfiguration = SessionConfiguration(),
        pin: String? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        handler: @escaping @Sendable (LocalTLSServer.Request) -> LocalTLSServer.Response = { _ in .text("hello") }
    ) throws {
        let root = try LocalCertificateAuthority()
        let identity = try root.issue()
        server = try LocalTLSServer(identity: identity, handler: handler)
        let evaluator = try PublicKeyPinsTrustEvaluator(
            pins: [pin ?? identity.pin.description],
            requiresBackupPin: false,
            roots: .certificates([root.certificate])
        )
        session = Session(
            configuration: configuration,
            interceptor: interceptor,
            serverTrustManager: try ServerTrustManager(evaluators: ["localhost": evaluator])
        )
    }

    func provider(plugins: [any PluginType] = []) -> EndpointProvider<Call> {
        EndpointProvider(session: session, plugins: plugins)
    }

    func call(_ path: String = "", _ change: (inout Call) -> Void = { _ in }) -> Call {
        Call(server.url) {
            $0.path = path
            change(&$0)
        }
    }
}
