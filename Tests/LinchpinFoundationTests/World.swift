import Foundation
import FoundationNetworking
import LinchpinFoundation
import LinchpinSession
import LinchpinTesting
import LinchpinTrust

/// A server for `localhost` below a root of its own, and URL sessions that know one or the other pin.
struct World {
    let root: LocalCertificateAuthority
    let identity: ServerIdentity

    init(validity: Validity = .default) throws {
        root = try LocalCertificateAuthority(name: "Root")
        identity = try root.intermediate().issue(validity: validity)
    }

    /// A session that accepts the server's key under the root.
    func pinned(_ configuration: SessionConfiguration = .init()) throws -> Session {
        try session(pin: identity.pin.description, configuration)
    }

    /// A session that wants a key which nobody has, under the right root.
    func wronglyPinned() throws -> Session {
        try session(pin: "sha256/\(Data(repeating: 7, count: 32).base64EncodedString())")
    }

    private func session(pin: String, _ configuration: SessionConfiguration = .init()) throws -> Session {
        let evaluator = try PublicKeyPinsTrustEvaluator(
            pins: [pin],
            requiresBackupPin: false,
            roots: .certificates([root.certificate])
        )
        let manager = try ServerTrustManager(evaluators: ["localhost": evaluator])
        return Session(configuration: configuration, serverTrustManager: manager)
    }

    func server(
        _ configuration: LocalTLSServer.Configuration = .init(),
        handler: @escaping @Sendable (LocalTLSServer.Request) -> LocalTLSServer.Response = { _ in .text("hello") }
    ) throws -> LocalTLSServer {
        try LocalTLSServer(identity: identity, configuration: configuration, handler: handler)
    }

    /// A URL session that is carried by a session which accepts the server.
    func client(
        delegate: Recorder? = nil,
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSession {
        URLSession(carriedBy: try pinned(), delegate: delegate, change)
    }
}

extension URLSession {
    /// Nothing of one test's is kept for another.
    convenience init(
        carriedBy session: Session?,
        delegate: Recorder? = nil,
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        if let session {
            configuration.use(session)
        } else {
            configuration.protocolClasses = [LinchpinURLProtocol.self]
        }
        change(configuration)
        self.init(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// The error of a GET; nil where there is a response.
    func failure(_ request: URLRequest) async -> URLError? {
        do {
            _ = try await data(for: request)
            return nil
        } catch {
            return error as? URLError
        }
    }

    func failure(_ url: URL) async -> URLError? { await failure(URLRequest(url: url)) }

    /// The text of a GET.
    func text(_ url: URL) async throws -> String { String(decoding: try await data(from: url).0, as: UTF8.self) }
}

extension URLRequest {
    init(_ url: URL, method: String = "GET", _ change: (inout URLRequest) -> Void = { _ in }) {
        self.init(url: url)
        httpMethod = method
        change(&self)
    }
}

extension URLError {
    /// Why the server was refused.
    var refusal: TrustError.Code? { ((underlyingError as Any?) as? SessionError)?.trustError?.code }
    private var underlyingError: (any Error)? { userInfo[NSUnderlyingErrorKey] as? any Error }
}

extension LocalTLSServer {
    /// Whether no byte of HTTP came.
    var isUntouched: Bool { log.requestCount == 0 && log.bytesReceived == 0 }
}
