public import Foundation

/// A policy that somebody signed, so that a program can take it on from anywhere: from its own server, a mirror, a file.
///
/// ```json
/// {"format": 1, "payload": "<Base64>", "signature": "<Base64>"}
/// ```
///
/// The payload is JSON in Base64, and its bytes are what is signed:
///
/// ```json
/// {"version": 7, "expires": "2030-01-31T12:00:00Z", "policy": {"version": 1, "hosts": {}}}
/// ```
///
/// | Field | Value |
/// |---|---|
/// | `format` | 1; a document of another format is refused before anything else in it is looked at |
/// | `signature` | the 64 bytes of Ed25519 (RFC 8032) over the ASCII text `linchpin signed policy 1`, a NUL, and the payload's bytes |
/// | `version` | a whole number from 1, which rises with every policy that is published |
/// | `expires` | the last second in which the policy may be taken on (RFC 3339) |
/// | `policy` | a policy file, see ``ServerTrustManager/init(contentsOfPolicyFile:givenRoots:clientIdentities:pinFailureHandler:)`` |
///
/// The text before the payload keeps a signature that the key made for something else from being one of a policy. Base64
/// is the standard one with its padding. A field that is not known, missing or there twice is an error, in both objects.
/// Nothing of the payload is read before its signature was verified.
///
/// Who can sign decides who is trusted: keep the key where no server has it. See ``SignedPolicyStore`` for what keeps an
/// old policy from coming back.
public struct SignedPolicy: Sendable {
    /// The number that rises with every policy.
    public let version: Int
    /// The last second in which it may be taken on.
    public let expires: Date
    /// The bytes that were signed.
    let payload: Data

    /// The only format there is.
    private static let format = "1"
    /// Before the payload; see the type's description.
    private static let domain = Data("linchpin signed policy \(format)\u{0}".utf8)
    /// The longest payload, in Base64, and the rest.
    static let mostBytes = PolicyText.mostBytes * 2

    /// Reads a document whose signature is that of a key. Its date is not looked at, nor whether it is newer than another.
    ///
    /// - Parameters:
    ///   - document: the bytes, as they were published.
    ///   - key: an Ed25519 key, built into the program.
    /// - Throws: ``TrustError`` with code `malformedPolicy` for what is no such document, cut off for instance;
    ///   `unsupportedPolicyFormat`; `policySignatureInvalid`; `malformedPublicKey` for a key of another algorithm.
    public init(_ document: Data, key: PublicKey) throws(TrustError) {
        guard Ed25519.isKey(key) else {
            throw TrustError(
                .malformedPublicKey,
                reason: "policies are signed with Ed25519, and the key is another one"
            )
        }
        let root = try PolicyText(bytes: document, limit: Self.mostBytes).root()
        // First, since what another format means by its fields is not known.
        guard let format = try root.field("format") else { throw root.missing("format", Self.format) }
        let number = try format.number()
        guard number == Self.format else {
            throw TrustError(
                .unsupportedPolicyFormat,
                reason: "\(format.place): \(number) is not a format that is read here; \(Self.format) is"
            )
        }
        let fields = try root.fields(["format", "payload", "signature"])
        let payload = try Self.bytes(fields["payload"], root, "payload")
        let signature = try Self.bytes(fields["signature"], root, "signature")
        guard Ed25519.verifies(signature, over: Self.domain + payload, by: key) else {
            throw TrustError(
                .policySignatureInvalid,
                reason: "the signature is not that of the given key over this payload; nothing in it was looked at"
            )
        }
        try self.init(verified: payload)
    }

    private init(verified payload: Data) throws(TrustError) {
        let fields = try Self.fields(payload)
        let number = try fields.version.number()
        guard let version = Int(number), version >= 1 else {
            throw fields.version.fault("\(number) is not a whole number from 1")
        }
        let text = try fields.expires.string()
        guard let expires = Date(rfc3339: text) else {
            throw fields.expires.fault("\(PolicyNode.quoted(text)) is not a moment such as \"2030-01-31T12:00:00Z\"")
        }
        self.version = version
        self.expires = expires
        self.payload = payload
    }

    /// The policy that is in it.
    ///
    /// - Parameters:
    ///   - directory: where the program has the files that the policy names; nil makes naming one an error.
    /// - Throws: ``TrustError`` with code `malformedPolicy`.
    package func file(directory: String?, given: PolicyGivens) throws(TrustError) -> PolicyFile {
        try PolicyFile(Self.fields(payload).policy, directory: directory, given: given)
    }

    private static func fields(
        _ payload: Data
    ) throws(TrustError) -> (version: PolicyNode, expires: PolicyNode, policy: PolicyNode) {
        let root = try PolicyText(bytes: payload).root()
        let fields = try root.fields(["version", "expires", "policy"])
        guard let version = fields["version"] else { throw root.missing("version", "1") }
        guard let expires = fields["expires"] else { throw root.missing("expires", "\"2030-01-31T12:00:00Z\"") }
        guard let policy = fields["policy"] else { throw root.missing("policy", "a policy file's object") }
        return (version, expires, policy)
    }

    private static func bytes(_ node: PolicyNode?, _ root: PolicyNode, _ name: String) throws(TrustError) -> Data {
        guard let node else { throw root.missing(name, "Base64") }
        let text = try node.string()
        // One spelling only, so that equal policies are equal bytes.
        guard let bytes = Data(base64Encoded: text), bytes.base64EncodedString() == text else {
            throw node.fault("it is not Base64 with its padding")
        }
        return bytes
    }
}

// MARK: - Signing

extension SignedPolicy {
    /// Signs a policy.
    ///
    /// - Parameters:
    ///   - policy: the bytes of a policy file. They are not looked at, but for being JSON.
    ///   - version: a number from 1, higher than that of every policy published before.
    ///   - expires: the last second in which the policy may be taken on.
    ///   - privateKey: the PEM text of an Ed25519 key, as `openssl genpkey -algorithm ed25519` writes it.
    ///   - password: what the key is encrypted with; nil for one that is not.
    /// - Returns: the document to be published.
    /// - Throws: ``TrustError`` with code `malformedPolicy`, `noPrivateKeyFound`, `wrongPassword` or `malformedIdentity`.
    public static func document(
        policy: Data,
        version: Int,
        expires: Date,
        privateKey: String,
        password: String? = nil
    ) throws(TrustError) -> Data {
        let key = try KeyHandle(pem: privateKey, password: password)
        let mark = Data([0xEF, 0xBB, 0xBF])
        let text = policy.starts(with: mark) ? policy.dropFirst(mark.count) : policy[...]
        _ = try PolicyText(bytes: Data(text)).root()
        // As it was written and reviewed, not as an encoder would write it again.
        let payload =
            Data("{\"version\": \(version), \"expires\": \"\(expires.rfc3339)\", \"policy\": ".utf8) + text
            + Data("}".utf8)
        _ = try SignedPolicy(verified: payload)
        guard let signature = Ed25519.signature(over: domain + payload, by: key) else {
            throw TrustError(.malformedIdentity, reason: "policies are signed with Ed25519, and the key is another one")
        }
        return Data(
            """
            {
              "format": \(format),
              "payload": "\(payload.base64EncodedString())",
              "signature": "\(signature.base64EncodedString())"
            }

            """.utf8
        )
    }
}
