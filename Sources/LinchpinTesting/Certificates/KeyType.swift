/// The kind of a key pair.
public enum KeyType: Sendable, Hashable {
    /// ECDSA on NIST P-256: made in well under a millisecond, accepted everywhere.
    case p256
    /// ECDSA on NIST P-384.
    case p384
    /// ECDSA on NIST P-521.
    case p521
    /// ECDSA on any curve that OpenSSL knows by this name, such as `secp256k1`.
    case curve(String)
    /// ECDSA on P-256, with the curve's numbers in place of its name; no certificate may have it (RFC 5480 §2.1.1).
    case explicitP256
    /// X25519, which signs nothing (RFC 8410).
    case x25519
    /// RSA with PKCS #1 v1.5 signatures on certificates. 2,048 bits and more take a good part of a second.
    case rsa(bits: Int)
    /// RSA that is bound to PSS signatures (RFC 4055).
    case rsaPSS(bits: Int)
    /// Ed25519 (RFC 8410).
    case ed25519

    /// RSA with 2,048 bits.
    public static let rsa2048 = KeyType.rsa(bits: 2048)
}
