public import LinchpinTrust

/// What a server shows and what it proves itself with: a chain of certificates and the leaf's key.
public struct ServerIdentity: Sendable {
    /// The server's own certificate.
    public let certificate: Certificate
    /// What is presented, in this order: usually the leaf and the intermediates, without the root.
    public let chain: [Certificate]
    /// The leaf's key.
    public let privateKey: PrivateKey

    /// Joins a certificate, its key and what else is presented.
    ///
    /// - Parameters:
    ///   - certificate: the server's own.
    ///   - intermediates: what follows it in ``chain``.
    ///   - privateKey: its key; a server that is given another one is an error.
    public init(certificate: Certificate, intermediates: [Certificate] = [], privateKey: PrivateKey) {
        self.init(certificate: certificate, chain: [certificate] + intermediates, privateKey: privateKey)
    }

    /// Reads the chain, leaf first, and the key from PEM text.
    ///
    /// - Throws: `TrustError` for the chain, ``TestingError`` with code `keyUnusable` or, when the key is not the
    ///   leaf's, `identityUnusable`.
    public init(chainPEM: String, privateKeyPEM: String) throws {
        let chain = try Certificate.certificates(pem: chainPEM)
        let key = try PrivateKey(pem: privateKeyPEM)
        guard let leaf = chain.first, key.belongs(to: leaf) else {
            throw TestingError(.identityUnusable, reason: "the key is not that of the first certificate")
        }
        self.init(certificate: leaf, chain: chain, privateKey: key)
    }

    init(certificate: Certificate, chain: [Certificate], privateKey: PrivateKey) {
        self.certificate = certificate
        self.chain = chain
        self.privateKey = privateKey
    }

    /// The same identity with another chain: extra, missing, foreign or reordered certificates, for tests of clients.
    ///
    /// A server can only serve it if the first one has this identity's key.
    public func presenting(_ chain: [Certificate]) -> ServerIdentity {
        ServerIdentity(certificate: certificate, chain: chain, privateKey: privateKey)
    }

    /// The presented chain as PEM text, as nginx's `ssl_certificate` wants it.
    public var chainPEM: String { chain.map(\.pem).joined() }

    /// The key as PKCS #8 PEM text, not encrypted.
    public var privateKeyPEM: String { privateKey.pem }

    /// The pin of the leaf's key.
    public var pin: PublicKeyPin { certificate.publicKeyPin }
}
