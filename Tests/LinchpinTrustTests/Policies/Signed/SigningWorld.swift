import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust

/// A key, a stranger's key, a world with roots for policies, and a directory to keep policies in.
struct SigningWorld {
    let policy: PolicyWorld
    let key: PrivateKey
    let publicKey: PublicKey
    let stranger: PrivateKey
    let directory: TemporaryDirectory

    init() throws {
        policy = try PolicyWorld()
        key = try PrivateKey(.ed25519)
        publicKey = try key.publicKey
        stranger = try PrivateKey(.ed25519)
        directory = try TemporaryDirectory()
    }

    var path: String { directory.path(of: "kept.json") }

    /// A store that takes it to be ``noon``.
    func store(minimumVersion: Int = 1, at date: Date = noon) -> SignedPolicyStore {
        SignedPolicyStore(path: path, key: publicKey, minimumVersion: minimumVersion) { date }
    }

    /// A document about the world's host.
    func document(
        _ version: Int,
        entry: String = #"{"roots": "given"}"#,
        expires: Date = noon.addingTimeInterval(86_400),
        by signer: PrivateKey? = nil
    ) throws -> Data {
        try document(policy: PolicyWorld.file(entry: entry), version: version, expires: expires, by: signer)
    }

    func document(
        policy: String,
        version: Int,
        expires: Date = noon.addingTimeInterval(86_400),
        by signer: PrivateKey? = nil
    ) throws -> Data {
        try SignedPolicy.document(
            policy: Data(policy.utf8),
            version: version,
            expires: expires,
            privateKey: (signer ?? key).pem
        )
    }

    /// A table that knows nobody.
    func manager() throws -> ServerTrustManager {
        try ServerTrustManager(evaluators: ["other.example": DefaultTrustEvaluator()])
    }

    @discardableResult
    func update(
        _ manager: ServerTrustManager,
        _ document: Data,
        _ store: SignedPolicyStore
    ) throws -> ServerTrustManager.SignedPolicyOutcome {
        try manager.update(signedPolicy: document, keptIn: store, givenRoots: policy.world.roots)
    }

    /// Whether the world's server is let in.
    func accepts(_ manager: ServerTrustManager) throws -> Bool { try policy.refusal(by: manager) == nil }
}
