internal import COpenSSL
internal import Foundation
public import LinchpinTrust

/// A key pair, in memory; the one owner of an OpenSSL key.
///
/// > Warning: Keys of the test kit are for tests. Their PEM text is not encrypted.
public final class PrivateKey {
    let pointer: OpaquePointer

    /// Makes a new key pair.
    ///
    /// - Throws: ``TestingError`` with code `keyUnusable` when OpenSSL cannot make such a key.
    public init(_ type: KeyType = .p256) throws(TestingError) {
        OpenSSLError.clear()
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type.algorithm, nil) else { throw Self.unusable("\(type)") }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, type.configure(context), EVP_PKEY_generate(context, &key) == 1,
            let key
        else { throw Self.unusable("\(type)") }
        pointer = key
    }

    /// Reads a key that is not encrypted from PEM text: PKCS #8, or an algorithm's own older form.
    ///
    /// - Throws: ``TestingError`` with code `keyUnusable`.
    public init(pem: String) throws(TestingError) {
        OpenSSLError.clear()
        // An encrypted key asks for its password here: there is none, and nobody at a terminal is asked.
        let noPassword: @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32
        noPassword = { _, _, _, _ in -1 }
        // The BIO reads from the bytes themselves, which stay in place as long as they are lent.
        let key = Array(pem.utf8).withUnsafeBytes { bytes -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            return PEM_read_bio_PrivateKey(bio, nil, noPassword, nil)
        }
        guard let key else { throw Self.unusable("PEM text") }
        pointer = key
    }

    deinit { EVP_PKEY_free(pointer) }

    /// The key as a PKCS #8 block, `-----BEGIN PRIVATE KEY-----`; empty if OpenSSL cannot encode it.
    public var pem: String {
        Self.text { PEM_write_bio_PKCS8PrivateKey($0, self.pointer, nil, nil, 0, nil, nil) }
    }

    /// The key as a PKCS #8 block that is encrypted with a password, `-----BEGIN ENCRYPTED PRIVATE KEY-----`.
    ///
    /// - Throws: ``TestingError`` with code `keyUnusable` when OpenSSL refuses the password.
    public func encryptedPEM(password: String) throws(TestingError) -> String {
        OpenSSLError.clear()
        let bytes = password.utf8.map { CChar(bitPattern: $0) }
        let text = Self.text {
            PEM_write_bio_PKCS8PrivateKey($0, pointer, EVP_aes_256_cbc(), bytes, Int32(clamping: bytes.count), nil, nil)
        }
        guard !text.isEmpty else { throw Self.unusable("the password") }
        return text
    }

    /// Whether this is the key of the certificate.
    public func belongs(to certificate: Certificate) -> Bool {
        guard let handle = try? X509Handle(copying: certificate) else { return false }
        defer { OpenSSLError.clear() }
        return handle.withPointer { X509_check_private_key($0, pointer) } == 1
    }

    /// The public half with its algorithm.
    ///
    /// - Throws: `TrustError` with code `malformedPublicKey` if OpenSSL cannot encode it.
    public var publicKey: PublicKey {
        get throws(TrustError) {
            var buffer: UnsafeMutablePointer<UInt8>?
            let length = i2d_PUBKEY(pointer, &buffer)
            return try PublicKey(der: Data(takingOpenSSL: buffer, length: Int(length)) ?? Data())
        }
    }

    private static func text(_ write: (OpaquePointer) -> Int32) -> String {
        guard let bio = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(bio) }
        guard write(bio) == 1 else { return "" }
        var buffer = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(bio)))
        let count = BIO_read(bio, &buffer, Int32(clamping: buffer.count))
        return String(decoding: buffer.prefix(Int(max(count, 0))), as: UTF8.self)
    }

    private static func unusable(_ what: String) -> TestingError {
        TestingError(.keyUnusable, reason: "no private key from \(what): \(OpenSSLError.drainText())")
    }
}

// The key is never changed after it was made, and OpenSSL counts its references and fills its caches of
// provider data under its own locks.
extension PrivateKey: @unchecked Sendable {}

extension PrivateKey: CustomStringConvertible {
    /// The algorithm; never the key itself.
    public var description: String {
        let algorithm = EVP_PKEY_get0_type_name(pointer).map { String(cString: $0) } ?? "unknown"
        return "PrivateKey(\(algorithm), \(EVP_PKEY_get_bits(pointer)) bits)"
    }
}

extension KeyType {
    /// OpenSSL's name of the algorithm.
    fileprivate var algorithm: String {
        switch self {
        case .p256, .p384, .p521, .curve, .explicitP256: "EC"
        case .rsa: "RSA"
        case .rsaPSS: "RSA-PSS"
        case .ed25519: "ED25519"
        case .x25519: "X25519"
        }
    }

    fileprivate func configure(_ context: OpaquePointer) -> Bool {
        switch self {
        case .p256: EVP_PKEY_CTX_set_group_name(context, "P-256") == 1
        case .p384: EVP_PKEY_CTX_set_group_name(context, "P-384") == 1
        case .p521: EVP_PKEY_CTX_set_group_name(context, "P-521") == 1
        case .rsa(let bits), .rsaPSS(let bits):
            EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(clamping: bits)) == 1
        case .curve(let name): EVP_PKEY_CTX_set_group_name(context, name) == 1
        case .explicitP256:
            EVP_PKEY_CTX_set_group_name(context, "P-256") == 1 && EVP_PKEY_CTX_set_ec_param_enc(context, 0) == 1
        case .ed25519, .x25519: true
        }
    }
}
