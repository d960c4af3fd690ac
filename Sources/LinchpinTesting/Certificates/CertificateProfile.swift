/// What a certificate may be used for: its extensions and its signature.
public struct CertificateProfile: Sendable, Hashable {
    /// What the key may do (RFC 5280 §4.2.1.3).
    public enum KeyUsage: String, Sendable, Hashable {
        case digitalSignature, nonRepudiation, keyEncipherment, dataEncipherment, keyAgreement, keyCertSign, cRLSign
    }

    /// What the certificate is for (RFC 5280 §4.2.1.12).
    public enum ExtendedKeyUsage: String, Sendable, Hashable {
        case serverAuth, clientAuth, codeSigning, emailProtection, timeStamping
        case ocspSigning = "OCSPSigning"
    }

    /// The digest that the issuer signs. Ed25519 has its own and passes over this.
    public enum Digest: Sendable, Hashable {
        /// SHA-256, or what fits the curve.
        case automatic
        /// Too weak for every client; for tests that it is refused.
        case sha1
        /// As strong as OpenSSL wants it, but not among those of public authorities.
        case sha224
        case sha256, sha384, sha512
    }

    /// Whether it may issue others.
    public var isCA = false
    /// How many authorities may stand below it; nil for any number.
    public var pathLength: Int?
    /// What the key may do; nil for what the key's type needs, empty to leave the extension out.
    public var keyUsages: [KeyUsage]?
    /// What it is for; empty to leave the extension out.
    public var extendedKeyUsages: [ExtendedKeyUsage] = []
    /// The DNS names below which an authority may issue (RFC 5280 §4.2.1.10); empty for all.
    public var permittedDNSSubtrees: [String] = []
    /// The DNS names below which an authority may not issue.
    public var excludedDNSSubtrees: [String] = []
    /// The digest that the issuer signs.
    public var digest = Digest.automatic
    /// Extensions in the words of x509v3_config(5), in place of those above; an empty text leaves one out.
    ///
    /// ```swift
    /// profile.replacedExtensions = ["basicConstraints": "CA:TRUE", "subjectKeyIdentifier": ""]
    /// ```
    ///
    /// For tests that malformed certificates are refused. The key is OpenSSL's short name or an OID.
    public var replacedExtensions: [String: String] = [:]
    /// Further extensions after all others, even of a kind that is there already.
    public var additionalExtensions: [CustomExtension] = []
    /// The version that the certificate claims, 1 to 3.
    public var version = 3
    /// The serial number as decimal digits, of any size and sign; nil for a random one.
    public var serialNumber: String?
    /// Whether the subject has a name.
    public var hasSubject = true

    /// An extension by OpenSSL's short name or its OID, in the words of x509v3_config(5).
    public struct CustomExtension: Sendable, Hashable {
        let name: String
        let value: String

        /// Such as `("1.2.3.4", "critical,DER:05:00")`.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// An end entity with no stated purpose.
    public init() {}

    /// For TLS servers.
    public static var server: CertificateProfile { with(.serverAuth) }

    /// For TLS clients: a server must not use it.
    public static var client: CertificateProfile { with(.clientAuth) }

    /// For both.
    public static var serverAndClient: CertificateProfile { with(.serverAuth, .clientAuth) }

    /// For an authority.
    public static var authority: CertificateProfile {
        var profile = CertificateProfile()
        profile.isCA = true
        return profile
    }

    private static func with(_ usages: ExtendedKeyUsage...) -> CertificateProfile {
        var profile = CertificateProfile()
        profile.extendedKeyUsages = usages
        return profile
    }
}
