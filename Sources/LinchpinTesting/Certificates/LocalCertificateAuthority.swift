internal import COpenSSL
public import LinchpinTrust

/// A certificate authority in memory, to test TLS clients against servers on this machine.
///
/// ```swift
/// let authority = try LocalCertificateAuthority()
/// let server = try LocalTLSServer(identity: authority.issue(["localhost", "127.0.0.1"]))
/// let roots = TrustRoots.certificates([authority.certificate])
/// ```
///
/// Everything is made anew by OpenSSL and forgotten with the object, so that no key has to be kept in a repository
/// and nothing expires there.
///
/// > Warning: Never add such an authority to a system's roots.
public final class LocalCertificateAuthority: Sendable {
    /// The authority's own certificate: a root, or an intermediate of another authority.
    public let certificate: Certificate
    /// The key that it signs with.
    public let privateKey: PrivateKey
    /// Its own certificate and those above it, without the root: what its identities present after the leaf.
    public let intermediates: [Certificate]

    init(certificate: Certificate, privateKey: PrivateKey, intermediates: [Certificate]) {
        self.certificate = certificate
        self.privateKey = privateKey
        self.intermediates = intermediates
    }

    /// Takes up an authority whose certificate and key were kept, such as `root.pem` and `root.key` of `linchpin certs`.
    ///
    /// - Parameters:
    ///   - certificate: the authority's own.
    ///   - privateKey: its key.
    ///   - intermediates: what its identities present after the leaf; nothing for a root.
    /// - Throws: ``TestingError`` with code `identityUnusable` when the key is another one.
    public convenience init(
        certificate: Certificate,
        privateKey: PrivateKey,
        presenting intermediates: [Certificate] = []
    ) throws(TestingError) {
        guard privateKey.belongs(to: certificate) else {
            throw TestingError(.identityUnusable, reason: "the key is not that of \(certificate.subject)")
        }
        self.init(certificate: certificate, privateKey: privateKey, intermediates: intermediates)
    }

    /// Makes a root that signed itself.
    ///
    /// - Parameters:
    ///   - name: the common name of its subject.
    ///   - keyType: the kind of a new key.
    ///   - validity: from a day ago for 30 days, if nothing else is said.
    ///   - key: a key to use in place of a new one, as a renewed root does.
    ///   - profile: its constraints; ``CertificateProfile/authority`` has none.
    /// - Throws: ``TestingError``.
    public convenience init(
        name: String = "Linchpin Test Root",
        keyType: KeyType = .p256,
        validity: Validity = .default,
        key: PrivateKey? = nil,
        profile: CertificateProfile = .authority
    ) throws(TestingError) {
        let key = try Self.key(key, or: keyType)
        let request = Self.request(name, validity, profile, key)
        self.init(certificate: try request.signed(), privateKey: key, intermediates: [])
    }

    /// Makes an authority below this one. What it issues presents its certificate after the leaf.
    ///
    /// Given another authority's name and `key`, this is a cross-certificate for it.
    ///
    /// - Throws: ``TestingError``.
    public func intermediate(
        name: String = "Linchpin Test Intermediate",
        keyType: KeyType = .p256,
        validity: Validity = .default,
        key: PrivateKey? = nil,
        profile: CertificateProfile = .authority
    ) throws(TestingError) -> LocalCertificateAuthority {
        let key = try Self.key(key, or: keyType)
        let issued = try Self.request(name, validity, profile, key).signed(by: issuer)
        return LocalCertificateAuthority(
            certificate: issued,
            privateKey: key,
            intermediates: [issued] + intermediates
        )
    }

    /// Issues a certificate for a server, or for a client with ``CertificateProfile/client``.
    ///
    /// - Parameters:
    ///   - names: what it is for; empty for none at all, as old certificates have it that carry only a common name.
    ///   - commonName: the subject's common name. Without one the subject says in words whose certificate this is,
    ///     and no client can take that for a host.
    ///   - keyType: the kind of a new key.
    ///   - validity: from a day ago for 30 days, if nothing else is said.
    ///   - key: a key to use in place of a new one, as renewals do.
    ///   - profile: what it may be used for.
    ///   - logs: whose timestamps are embedded (RFC 6962 §3.3); none by default.
    /// - Throws: ``TestingError``.
    public func issue(
        _ names: [CertificateName] = .loopback,
        commonName: String? = nil,
        keyType: KeyType = .p256,
        validity: Validity = .default,
        key: PrivateKey? = nil,
        profile: CertificateProfile = .server,
        loggedBy logs: [LocalTransparencyLog] = []
    ) throws(TestingError) -> ServerIdentity {
        let key = try Self.key(key, or: keyType)
        var request = Self.request(names, commonName, validity, profile, key)
        request.logs = logs
        let leaf = try request.signed(by: issuer)
        return ServerIdentity(certificate: leaf, intermediates: intermediates, privateKey: key)
    }

    /// Makes a certificate that signed itself, as development servers have it.
    ///
    /// - Parameters:
    ///   - names: what it is for.
    ///   - commonName: the subject's common name.
    ///   - keyType: the kind of a new key.
    ///   - validity: from a day ago for 30 days, if nothing else is said.
    ///   - key: a key to use in place of a new one.
    ///   - isCA: whether it also claims to be an authority.
    /// - Throws: ``TestingError``.
    public static func selfSigned(
        _ names: [CertificateName] = .loopback,
        commonName: String? = nil,
        keyType: KeyType = .p256,
        validity: Validity = .default,
        key: PrivateKey? = nil,
        isCA: Bool = false
    ) throws(TestingError) -> ServerIdentity {
        let key = try Self.key(key, or: keyType)
        var profile = CertificateProfile.server
        profile.isCA = isCA
        if isCA { profile.keyUsages = [.digitalSignature, .keyCertSign, .cRLSign] }
        let certificate = try request(names, commonName, validity, profile, key).signed()
        return ServerIdentity(certificate: certificate, privateKey: key)
    }

    private var issuer: CertificateRequest.Issuer { .init(certificate: certificate, key: privateKey) }

    /// The given key or a new one; `??` would forget what its right side throws.
    private static func key(_ key: PrivateKey?, or type: KeyType) throws(TestingError) -> PrivateKey {
        if let key { key } else { try PrivateKey(type) }
    }

    /// For an authority.
    private static func request(
        _ name: String,
        _ validity: Validity,
        _ profile: CertificateProfile,
        _ key: PrivateKey
    ) -> CertificateRequest {
        CertificateRequest(
            subject: [(NID_commonName, name)],
            names: [],
            validity: validity,
            profile: profile,
            key: key
        )
    }

    /// For a leaf.
    private static func request(
        _ names: [CertificateName],
        _ commonName: String?,
        _ validity: Validity,
        _ profile: CertificateProfile,
        _ key: PrivateKey
    ) -> CertificateRequest {
        // RFC 5280's upper bound for a unit's name is 64 characters.
        let unit = String((names.first?.description ?? "no name").prefix(64))
        return CertificateRequest(
            subject: commonName.map { [(NID_commonName, $0)] }
                ?? [(NID_organizationName, "Linchpin Test"), (NID_organizationalUnitName, unit)],
            names: names,
            validity: validity,
            profile: profile,
            key: key
        )
    }
}
