/// A certificate, as Apple's Security framework calls it.
public typealias SecCertificate = Certificate
/// A public key, as Apple's Security framework calls it.
public typealias SecKey = PublicKey
/// A server to be judged, as Apple's Security framework calls it.
public typealias SecTrust = ServerTrust
/// Bytes, as Core Foundation calls them: `Data(…) as CFData`.
public typealias CFData = NSData

/// Where Core Foundation allocates; here it has no effect.
public struct CFAllocator: Sendable {}

/// The default allocator.
public let kCFAllocatorDefault: CFAllocator? = nil

/// The certificate that the DER bytes are; nil when they are none.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    try? Certificate(der: Data(referencing: data))
}

/// The DER bytes of the certificate.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { certificate.der as NSData }

/// The certificate's public key.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { certificate.publicKey }
