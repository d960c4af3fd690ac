import Foundation
import FoundationNetworking
import LinchpinTesting
import LinchpinTrust

@testable import LinchpinSession

/// A root and a server for this machine's loopback names below it.
struct World {
    let root: LocalCertificateAuthority
    let identity: ServerIdentity

    init(validity: Validity = .default) throws {
        root = try LocalCertificateAuthority(name: "Root")
        identity = try root.intermediate().issue(validity: validity)
    }

    var roots: TrustRoots { .certificates([root.certificate]) }

    /// Accepts the leaf's key under the root.
    func pinned() throws -> PublicKeyPinsTrustEvaluator {
        try PublicKeyPinsTrustEvaluator(pins: [identity.pin.description], requiresBackupPin: false, roots: roots)
    }

    /// A pin of a key that nobody has.
    static let wrongPin = "sha256/\(Data(repeating: 7, count: 32).base64EncodedString())"

    /// Accepts a key that the server does not have, under the right root.
    func wronglyPinned() throws -> PublicKeyPinsTrustEvaluator {
        try PublicKeyPinsTrustEvaluator(pins: [Self.wrongPin], requiresBackupPin: false, roots: roots)
    }

    /// A manager that judges `localhost` by the leaf's pin.
    func manager() throws -> ServerTrustManager {
        try ServerTrustManager(evaluators: ["localhost": pinned()])
    }
}

extension Session {
    /// The response of a GET, as text where there is one.
    func get(
        _ url: URL,
        headers: HTTPHeaders? = nil,
        timeouts: Timeouts? = nil
    ) async -> DataResponse<Data, SessionError> {
        await request(url, headers: headers, timeouts: timeouts).serializingData().response
    }
}

extension DataResponse<Data, SessionError> {
    var text: String? { value.map { String(decoding: $0, as: UTF8.self) } }
    /// The body as text, empty where the response has none; nil without a response.
    var body: String? { response.map { _ in String(decoding: data ?? Data(), as: UTF8.self) } }
    var status: Int? { response?.statusCode }
    /// Why the server was refused; nil when it was not.
    var refusal: TrustError.Code? { error?.trustError?.code }
}

extension SessionConfiguration {
    static func with(_ change: (inout SessionConfiguration) -> Void) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        change(&configuration)
        return configuration
    }
}
