internal import CLinchpin
internal import COpenSSL
internal import LinchpinTrust

/// An identity in the form in which OpenSSL takes it, shared by all handshakes that present it.
final class PresentedIdentity {
    private let leaf: X509Handle
    private let others: OpaquePointer
    private let key: PrivateKey

    init(_ identity: ServerIdentity) throws(TestingError) {
        guard let first = identity.chain.first else {
            throw TestingError(.identityUnusable, reason: "the identity presents no certificate")
        }
        leaf = try X509Handle(copying: first)
        key = identity.privateKey
        guard let stack = clinchpin_sk_X509_new() else { throw Self.unusable(first) }
        others = stack
        for certificate in identity.chain.dropFirst() {
            let handle = try X509Handle(copying: certificate)
            let isPushed = handle.withPointer { clinchpin_sk_X509_push_up_ref(stack, $0) } == 1
            guard isPushed else { throw Self.unusable(certificate) }
        }
        guard leaf.withPointer({ X509_check_private_key($0, key.pointer) }) == 1 else { throw Self.unusable(first) }
    }

    deinit { clinchpin_sk_X509_pop_free(others) }

    /// Lets a connection present it.
    func use(in connection: OpaquePointer) -> Bool {
        SSL_use_cert_and_key(connection, leaf.pointer, key.pointer, others, 1) == 1
    }

    private static func unusable(_ certificate: Certificate) -> TestingError {
        TestingError(
            .identityUnusable,
            reason: "\(certificate.subject) cannot be presented with this key: \(OpenSSLError.drainText())"
        )
    }
}

// Nothing is changed after init; OpenSSL counts references to certificates and keys under its own locks and
// copies the stack.
extension PresentedIdentity: @unchecked Sendable {}
