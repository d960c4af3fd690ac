internal import COpenSSL
public import Foundation

/// What a client proves itself with to servers that ask: a certificate, those above it, and its key.
///
/// Nothing is sent to a server that was not accepted.
///
/// ```swift
/// let identity = try ClientIdentity(pkcs12: data, password: password)
/// ```
public struct ClientIdentity: Sendable {
    /// The client's own certificate.
    public let certificate: Certificate
    /// What is sent: its own certificate, and those above it as far as they were given, without a root.
    public let chain: [Certificate]
    let key: KeyHandle
    /// Equal for equal chains, and so for equal keys; connections are shared only under equal tags.
    package let tag: String

    /// Reads PEM text: a certificate, those above it in any order, and a key that may be encrypted.
    ///
    /// - Parameters:
    ///   - pem: both, or the certificates alone.
    ///   - privateKeyPEM: the key, where it is not in `pem`.
    ///   - password: of an encrypted key; nil, the default, for one that is not.
    /// - Throws: ``TrustError`` with code `malformedCertificate`, `malformedIdentity`, `noPrivateKeyFound`,
    ///   `wrongPassword`, or `privateKeyMismatch` when the key is not that of the first certificate.
    public init(pem: String, privateKeyPEM: String? = nil, password: String? = nil) throws(TrustError) {
        let certificates = try Certificate.certificates(pem: pem)
        let key = try KeyHandle(pem: privateKeyPEM ?? pem, password: password)
        guard let leaf = certificates.first else {
            throw TrustError(.noCertificatesFound, reason: "there is no certificate")
        }
        try self.init(leaf, others: Array(certificates.dropFirst()), key: key)
    }

    /// Reads PEM files.
    ///
    /// - Parameters:
    ///   - path: the certificates, and the key too where it has no file of its own.
    ///   - keyPath: the key.
    ///   - password: of an encrypted key; nil, the default, for one that is not.
    /// - Throws: ``TrustError`` as ``init(pem:privateKeyPEM:password:)`` does, or with code `unreadableFile`; the reason
    ///   has the path.
    public init(
        contentsOfPEMFile path: String,
        keyFile keyPath: String? = nil,
        password: String? = nil
    )
        throws(TrustError)
    {
        let text = String(decoding: try FileBytes.read(path, atMost: Self.mostBytes), as: UTF8.self)
        let keyText = try keyPath.map { keyPath throws(TrustError) in
            String(decoding: try FileBytes.read(keyPath, atMost: Self.mostBytes), as: UTF8.self)
        }
        do {
            try self.init(pem: text, privateKeyPEM: keyText, password: password)
        } catch {
            throw error.at(keyPath.map { "\(path) and \($0)" } ?? path)
        }
    }

    /// Reads PKCS #12 (RFC 7292), as `.p12` and `.pfx` files have it.
    ///
    /// - Throws: ``TrustError`` with code `malformedIdentity` for bytes that are none or are cut short, `wrongPassword`,
    ///   `noPrivateKeyFound`, `noCertificatesFound`, or `privateKeyMismatch` when no certificate has the key.
    public init(pkcs12 data: Data, password: String) throws(TrustError) {
        let content = try PKCS12Content(data, password: password)
        try self.init(content.certificate, others: content.others, key: content.key)
    }

    /// Reads a PKCS #12 file.
    ///
    /// - Throws: ``TrustError`` as ``init(pkcs12:password:)`` does, or with code `unreadableFile`; the reason has the
    ///   path.
    public init(contentsOfPKCS12File path: String, password: String) throws(TrustError) {
        let data = try FileBytes.read(path, atMost: Self.mostBytes)
        do {
            try self.init(pkcs12: data, password: password)
        } catch {
            throw error.at(path)
        }
    }

    private static let mostBytes = 1 << 20

    private init(_ leaf: Certificate, others: [Certificate], key: KeyHandle) throws(TrustError) {
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        guard X509_check_private_key(leaf.handle.pointer, key.pointer) == 1 else {
            throw TrustError(.privateKeyMismatch, reason: "the private key is not that of \(leaf.subject)")
        }
        certificate = leaf
        chain = Self.path(from: leaf, others)
        self.key = key
        let lengths = chain.map { "\($0.der.count)" }.joined(separator: ",")
        let digest = SHA256.digest(Data(lengths.utf8) + chain.reduce(into: Data()) { $0 += $1.der })
        // Without SHA-256 no two identities may have the same tag.
        tag = digest.isEmpty ? UUID().uuidString : digest.base64EncodedString()
        try proveUsable()
    }

    /// The leaf and whatever leads upwards from it, each certificate once.
    private static func path(from leaf: Certificate, _ others: [Certificate]) -> [Certificate] {
        var path = [leaf]
        while let last = path.last,
            let issuer = others.first(where: { candidate in
                !path.contains(candidate) && !candidate.isSelfIssued
                    && X509_check_issued(candidate.handle.pointer, last.handle.pointer) == X509_V_OK
            })
        {
            path.append(issuer)
        }
        return path
    }
}

extension ClientIdentity {
    /// Gives OpenSSL the identity for a connection whose server asks for one.
    ///
    /// - Parameters:
    ///   - connection: an `SSL *`.
    /// - Returns: false when OpenSSL refuses; the handshake must then end.
    func use(inConnection connection: OpaquePointer) -> Bool {
        guard let above = X509Stack(chain.dropFirst()) else { return false }
        return SSL_use_certificate(connection, certificate.handle.pointer) == 1
            && SSL_use_PrivateKey(connection, key.pointer) == 1
            // SSL_set1_chain(3), a macro.
            && SSL_ctrl(connection, SSL_CTRL_CHAIN, 1, UnsafeMutableRawPointer(above.pointer)) == 1
    }

    /// Finds a key that OpenSSL would not use in a handshake, such as one that is too small, before there is any.
    private func proveUsable() throws(TrustError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw TrustError(.evaluationUnavailable, reason: OpenSSLError.drainText())
        }
        defer { SSL_CTX_free(context) }
        guard let connection = SSL_new(context) else {
            throw TrustError(.evaluationUnavailable, reason: OpenSSLError.drainText())
        }
        defer { SSL_free(connection) }
        guard use(inConnection: connection) else {
            throw TrustError(
                .malformedIdentity,
                reason: "OpenSSL cannot use the identity \(certificate.subject): \(OpenSSLError.drainText())"
            )
        }
    }
}

extension ClientIdentity: Hashable {
    /// Whether both send the same chain.
    public static func == (left: ClientIdentity, right: ClientIdentity) -> Bool { left.chain == right.chain }

    /// Hashes the chain.
    public func hash(into hasher: inout Hasher) { hasher.combine(chain) }
}

extension ClientIdentity: CustomStringConvertible, CustomReflectable {
    /// The certificate; never the key.
    public var description: String { "ClientIdentity(\(certificate))" }

    /// The chain; never the key.
    public var customMirror: Mirror { Mirror(self, children: ["chain": chain]) }
}
