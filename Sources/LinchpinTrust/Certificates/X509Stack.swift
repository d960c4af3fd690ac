internal import CLinchpin
internal import COpenSSL

/// The one owner of an OpenSSL stack of certificates.
struct X509Stack: ~Copyable {
    let pointer: OpaquePointer

    /// A stack that holds its own reference to each certificate.
    init?(_ certificates: some Sequence<Certificate>) {
        guard let stack = clinchpin_sk_X509_new() else { return nil }
        for certificate in certificates where clinchpin_sk_X509_push_up_ref(stack, certificate.handle.pointer) != 1 {
            clinchpin_sk_X509_pop_free(stack)
            return nil
        }
        pointer = stack
    }

    /// Takes over a stack with its references.
    init(takingOwnership stack: OpaquePointer) { pointer = stack }

    /// Its certificates, each with a reference of its own.
    var certificates: [Certificate] { Self.certificates(borrowing: pointer) }

    deinit { clinchpin_sk_X509_pop_free(pointer) }

    /// The certificates of a stack that somebody else owns; those that are `known` need not be encoded again.
    static func certificates(borrowing stack: OpaquePointer?, known: [Certificate] = []) -> [Certificate] {
        guard let stack else { return [] }
        return (0..<clinchpin_sk_X509_num(stack)).compactMap { index in
            guard let pointer = clinchpin_sk_X509_value(stack, index) else { return nil }
            return known.first { $0.handle.pointer == pointer } ?? Certificate(handle: X509Handle(sharing: pointer))
        }
    }
}
