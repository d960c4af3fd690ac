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
